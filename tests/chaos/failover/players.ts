import { setTimeout as delay } from 'node:timers/promises'
import { retryDelay } from '#app/api/backoff.ts'
import { CALL_TIMEOUT_MS, PROBE_WAITS } from '#app/constants.ts'
import { REVISION_MAXIMUM } from '#contract/constants.ts'
import type { Instance, SaveBody } from '#contract/instances.ts'
import { seedInstance } from '#sandbox/demo-accounts/seed-instance.ts'
import { ASSESSMENT_ID, currentVersionOf } from '#server/content/content.ts'
import type { Database } from '#server/db/database.ts'
import { signInAt } from '#tests/support/installation.ts'
import { ask, claimsOf, type Reply } from '#tests/support/person.ts'
import type { Random } from '../scheduler.ts'

/** Players who answer one question after another, and send again what got no acknowledgement, as the portal does. */

const QUESTIONS = ['s2-q01', 's2-q02', 's2-q03', 's2-q04', 's2-q05', 's2-q06']
const contentVersion = currentVersionOf(ASSESSMENT_ID)

interface Player {
  email: string
  bearer: string
  instanceId: string
  /** operations of this round */
  acknowledged: string[]
  /** the last acknowledged answer of each question */
  last: Map<string, string | null>
}

/** What happened since the last `measure`. */
interface Measurement {
  acknowledged: number
  /** between two acknowledgements, whoever got them; ms */
  longestGap: number
  /** calls without an acknowledgement, by status and code */
  failures: Record<string, number>
}

export interface Players {
  all: readonly Player[]
  /** how often, since the beginning */
  acknowledged: () => number
  measure: () => Measurement
  /** Lets them answer. */
  play: () => void
  /** Resolves once each has the acknowledgement of what it sent last. */
  pause: () => Promise<void>
}

interface PlayersOptions {
  /** the balancer of the product */
  address: string
  /** the processes behind it; each has its own mailbox */
  processes: readonly string[]
  db: Database
  random: Random
  /** how many there are; each gives an answer a second */
  count: number
}

export async function startPlayers({ address, processes, db, random, count }: PlayersOptions): Promise<Players> {
  const all: Player[] = []
  for (let place = 0; place < count; place += 1) {
    const email = `player${place}@club.test`
    const bearer = await signInAt(processes[place % processes.length] ?? '', email)
    const instanceId = await seedInstance(db, { userId: String(claimsOf(bearer)['sub']), email, shareAnswered: 0 }, new Date())
    all.push({ email, bearer, instanceId, acknowledged: [], last: new Map() })
  }
  const state = { isPlaying: false }
  let playing: Promise<unknown> = Promise.resolve()
  let [total, acknowledged, longestGap, lastAt] = [0, 0, 0, performance.now()]
  let failures: Record<string, number> = {}

  function acknowledge(): void {
    const now = performance.now()
    total += 1
    acknowledged += 1
    longestGap = Math.max(longestGap, now - lastAt)
    lastAt = now
  }

  /** Resolves when the API answers again; the waits are those of the portal. */
  async function reachable(): Promise<void> {
    for (let misses = 1; ; misses += 1) {
      await delay(retryDelay(misses, undefined, PROBE_WAITS, () => random.next()))
      if ((await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(3000) }).catch(() => null))?.status === 200) return
    }
  }

  async function send(player: Player, body: SaveBody): Promise<void> {
    for (;;) {
      const reply = await deadline(
        ask(saveAt(address), 'POST', 'assessment/assessment-instance/responses', { bearer: player.bearer, body }),
      )
      if (reply?.status === 200) return acknowledge()
      const code = reply?.body?.code
      const name = reply === undefined ? 'no reply' : `${reply.status}${code === undefined ? '' : ` ${code}`}`
      failures[name] = (failures[name] ?? 0) + 1
      if (reply === undefined) await reachable()
      else if (reply.status === 401) player.bearer = await signInAt(random.pick([...processes]), player.email).catch(() => player.bearer)
      // a tap sends again, but not before the server's Retry-After
      else await delay(Number(reply.headers.get('retry-after') ?? 0) * 1000 + random.next() * 1000)
    }
  }

  async function answer(player: Player): Promise<void> {
    await delay(random.next() * 1000)
    let next = performance.now()
    while (state.isPlaying) {
      const [id, answer] = [random.pick(QUESTIONS), random.pick(['A', 'B'])]
      const operation = { id: random.uuid(), device: random.uuid(), contentVersion, groups: [{ questionId: id, base: REVISION_MAXIMUM }] }
      await send(player, { instanceId: player.instanceId, responses: [{ sectionName: 'Section2', id, answer }], operation })
      player.acknowledged.push(operation.id)
      player.last.set(id, answer)
      next = Math.max(next + 1000, performance.now())
      await delay(Math.max(next - performance.now(), 0))
    }
  }

  return {
    all,
    acknowledged: () => total,
    measure: () => {
      const measured = { acknowledged, longestGap, failures }
      ;[acknowledged, longestGap, lastAt, failures] = [0, 0, performance.now(), {}]
      return measured
    },
    play: () => {
      state.isPlaying = true
      lastAt = performance.now()
      playing = Promise.all(all.map(answer))
    },
    pause: async () => {
      state.isPlaying = false
      await playing
    },
  }
}

/** The answers of a player's instance, by question, as the product shows them. */
export async function shownTo(address: string, { bearer, instanceId }: Player): Promise<Map<string, string | null>> {
  const { body } = await ask<Instance>(saveAt(address), 'GET', `assessment/assessment-instance/${instanceId}`, { bearer })
  return new Map(body.responses.map(({ id, answer }) => [id, answer]))
}

const saveAt = (address: string) => ({ address })

/** undefined: no reply, or none in time */
async function deadline<Body>(asking: Promise<Reply<Body>>): Promise<Reply<Body> | undefined> {
  const late = new AbortController()
  const tooLate = delay(CALL_TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => undefined)
  const reply = await Promise.race([asking.catch(() => undefined), tooLate])
  late.abort()
  return reply
}
