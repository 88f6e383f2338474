import { SEND_UNWRITTEN_TIMEOUT_MS } from '#app/constants.ts'
import { answersChannel, type InstanceKey } from '#app/device/store/stored.ts'
import { onUnwritten, unwrittenHere, unwrittenRequested, type UnwrittenRequest } from './unwritten.ts'

/**
 * Answers that are only in an open page, of whichever tab. For each the page holds a browser lock: so other tabs know of it
 * while the page sleeps too, and no longer than it lives. Plain http knows no locks: there each tab knows its own.
 */

const PREFIX = 'touchline.unwritten '
const CHANNEL = 'touchline-unwritten'

/** Releases a lock, by its name. */
const locks = new Map<string, () => void>()
let listening: BroadcastChannel | undefined

/** Once, by start.ts. */
export function shareUnwritten(): void {
  onUnwritten((key) => {
    share()
    post(answersChannel, key)
  })
  share()
}

function share(): void {
  const names = new Set(unwrittenHere().map((one) => PREFIX + one))
  for (const [name, release] of locks) {
    if (names.has(name)) continue
    locks.delete(name)
    release()
  }
  for (const name of names) if (!locks.has(name)) locks.set(name, acquire(name))
  listen(names.size > 0)
}

function acquire(name: string): () => void {
  let release = () => {}
  const over = new Promise<void>((resolve) => {
    release = resolve
  })
  if ('locks' in navigator) navigator.locks.request(name, { mode: 'shared' }, () => over).catch(() => undefined)
  return release
}

/** To other tabs, as long as there is something here that they may mean. */
function listen(isWanted: boolean): void {
  if (!isWanted) {
    listening?.close()
    listening = undefined
  } else if (!listening) {
    listening = new BroadcastChannel(CHANNEL)
    listening.addEventListener('message', ({ data }: MessageEvent<UnwrittenRequest>) => unwrittenRequested.emit(data))
  }
}

/** Told in all tabs. */
export function requestUnwritten(request: UnwrittenRequest): void {
  unwrittenRequested.emit(request)
  post(CHANNEL, request)
}

function post(channel: string, message: InstanceKey | UnwrittenRequest): void {
  const to = new BroadcastChannel(channel)
  to.postMessage(message)
  to.close()
}

/** Question ids by instance. */
export async function unwrittenInTabs(userId: string): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (const name of await namesOf(userId)) {
    const [, instanceId = '', questionId = ''] = name.slice(PREFIX.length).split(' ')
    found.set(instanceId, (found.get(instanceId) ?? new Set()).add(questionId))
  }
  return found
}

/** Has the pages that hold them send them; resolves when they have, or after a while. */
export async function sendUnwritten(userId: string): Promise<void> {
  const names = await namesOf(userId)
  if (names.length === 0) return
  requestUnwritten({ userId, isDiscarded: false })
  if (!('locks' in navigator)) return
  const signal = AbortSignal.timeout(SEND_UNWRITTEN_TIMEOUT_MS)
  await Promise.all(names.map((name) => navigator.locks.request(name, { signal }, () => undefined).catch(() => undefined)))
}

async function namesOf(userId: string): Promise<string[]> {
  const { held: ofTabs = [], pending = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  const here = unwrittenHere().map((one) => PREFIX + one)
  const names = [...here, ...[...ofTabs, ...pending].flatMap(({ name }) => name ?? [])]
  return [...new Set(names)].filter((name) => name.startsWith(`${PREFIX}${userId} `))
}
