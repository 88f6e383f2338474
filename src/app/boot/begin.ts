/**
 * Runs before the app, in the page itself (vite.config.ts builds it and puts it there): a deep link knows its screen, so its
 * chunks, its words and its first read are asked for at once, instead of one round trip after the other.
 */
import type { Boot } from '#app/api/prefetched.ts'
import { deviceSchema, openDevice } from '#app/device/store/schema.ts'
import { beginFiles } from './files.ts'
import { progressIn } from './progress.ts'

type Pair<Value> = readonly [en: Value, fr: Value]

/** What the build knows; files by their place in `files`. */
declare const BUILD: {
  files: string[]
  /** how many of them are what the entry imports and, the last of these, the entry */
  start: number
  /** the words of the frame */
  common: Pair<number[]>[]
  routes: [pattern: string, chunks: number[], words: Pair<number[]>, read?: string][]
  api: string
  headers: Record<string, string>
  questions: Record<string, string>
}

// once, for the build puts the whole text wherever it is named
const known = BUILD

const stored = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

// before the storage, which takes a phone its time to open
const here = known.routes.find(([pattern]) => new RegExp(pattern).test(location.pathname))
let language: 'en' | 'fr' = 'en'
const files = beginFiles(progressIn(() => language))
const named = (places: readonly number[]) => places.map((place) => known.files[place] ?? '')
files.ask([...known.files.slice(0, known.start), ...named(here?.[1] ?? [])])
if ((stored('language') || navigator.language || '').slice(0, 2) === 'fr') language = 'fr'
// English stands in where French has no words
files.ask(named([...known.common, ...(here ? [here[2]] : [])].flatMap(([en, fr]) => (language === 'fr' ? [...en, ...fr] : en))))
const areHere = files.runAll(known.files[known.start - 1] ?? '')

const boot: Boot = (window.__boot = { replies: {} })
const token = Number(stored('expiresAt')) > Date.now() ? stored('accessToken') : null

/** Taken by api/prefetched.ts for the first call that asks the same. What everybody may read is asked for bare (OFFLINE-6). */
function read(path: string, isPublic = false): void {
  if (!token) return
  const authorization = isPublic ? undefined : `Bearer ${token}`
  const headers = { ...known.headers, 'accept-language': language, ...(authorization && { authorization }) }
  begin(known.api + path, authorization, { headers, cache: isPublic ? 'default' : 'no-store', credentials: 'same-origin' })
}

function begin(address: string, authorization?: string, init?: RequestInit): void {
  // cut with the files: once more when they have come
  const reply = fetch(address, init).catch(async () => {
    await areHere
    return fetch(address, init)
  })
  reply.catch(() => undefined)
  boot.replies[address] = { language, authorization, reply }
}

/** What a player's dashboard asks for at once (screens/home/player-dashboard.tsx); a coach's asks for other things. */
function readDashboard(): void {
  try {
    const claims: unknown = JSON.parse(atob((token ?? '').split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''))
    const { sub, userTypeCode } = claims as Record<string, string> // the app checks them
    if (userTypeCode !== 'player') return
    for (const path of [`user/${sub}`, `assessment/assessment-instance?userId=${sub}`, 'assessment?page=1&limit=10']) read(path)
    read('settings', true)
  } catch {
    // no token, or not ours: the app will say
  }
}

/** Taken by device/store/idb.ts, which reads the first question from it and writes the first tap to it. */
function beginDevice(): void {
  try {
    const opening = openDevice(deviceSchema)
    opening.addEventListener('success', () => {
      // until the app has taken it, it is in nobody's way
      opening.result.onversionchange = () => opening.result.close()
    })
    boot.database = opening
  } catch {
    // this browser keeps nothing: the app will say
  }
}

if (location.pathname === '/') readDashboard()
if (here?.[3]) {
  beginDevice()
  const questions = known.questions[language]
  // the questions, which never change, beside what is this player's
  if (token && questions) begin(questions)
  read(location.pathname.replace(new RegExp(here[0]), here[3]))
}
