/**
 * Runs before the app, in the page itself (tools/script-in-page.ts builds it and puts it there): a deep link knows its screen, so its
 * chunks, its words and its first read are asked for at once, instead of one round trip after the other.
 */
import type { Begun } from '#app/begun.ts'
import { LANGUAGE_KEY, preferredLanguage } from '#app/i18n/preferred-language.ts'
import { deviceSchema, openDevice } from '#app/device/store/schema.ts'
import { claimsIn } from '#app/session/claims.ts'
import { readCredentials } from '#app/session/read-credentials.ts'
import { FALLBACK_LANGUAGE, type Language } from '#contract/languages.ts'
import type { Prefetch } from '#contract/screens.ts'
import type { Build, BuiltScreen } from './build.ts'
import { beginFiles } from './files.ts'
import { progressIn } from './progress.ts'

declare const BUILD: Build

// once, for the build puts the whole text wherever it is named
const known = BUILD

// before the storage, which takes a phone its time to open
const here = known.screens.find(({ pattern }) => new RegExp(pattern).test(location.pathname))
let language = FALLBACK_LANGUAGE
const files = beginFiles(progressIn(() => language))
const named = (places: readonly number[]) => places.map((place) => known.files[place] ?? '')
files.ask([...known.files.slice(0, known.start), ...named(here?.chunks ?? [])])
const storage = openStorage()
language = preferredLanguage(storage.getItem(LANGUAGE_KEY), navigator.languages)
files.ask(named([...known.common, ...(here ? [here.words] : [])].flatMap(wordsIn)))
const areHere = files.runAll(known.files[known.start - 1] ?? '')

const begun: Begun = { replies: {} }
window.begun = begun

const { accessToken, expiresAt = 0 } = readCredentials(storage)
const token = expiresAt > Date.now() ? accessToken : undefined

/** Some browsers refuse it by a setting. */
function openStorage(): Pick<Storage, 'getItem'> {
  try {
    return localStorage
  } catch {
    return { getItem: () => null }
  }
}

/** Taken by api/prefetched.ts for the first call that asks the same. */
function read({ get, isPublic }: Prefetch): void {
  const authorization = isPublic ? undefined : `Bearer ${token}`
  const headers = { ...known.headers, 'accept-language': language, ...(authorization && { authorization }) }
  begin(known.api + get, authorization, { headers, cache: isPublic ? 'default' : 'no-store', credentials: 'same-origin' })
}

function begin(address: string, authorization?: string, init?: RequestInit): void {
  // cut with the files: once more when they have come
  const reply = fetch(address, init).catch(async () => {
    await areHere
    return fetch(address, init)
  })
  reply.catch(() => undefined)
  begun.replies[address] = { language, authorization, reply }
}

/** English stands in where another language has no words. */
function wordsIn(files: Record<Language, number[]>): number[] {
  return [...new Set([...files[FALLBACK_LANGUAGE], ...files[language]])]
}

/** What the screen will ask for first, for this person and this address. */
function prefetch({ pattern, prefetch: calls, prefetchFor }: BuiltScreen): void {
  if (!token) return
  try {
    const { sub, userTypeCode } = claimsIn(token)
    if (prefetchFor && prefetchFor !== userTypeCode) return
    const parameter = new RegExp(pattern).exec(location.pathname)?.[1] ?? ''
    for (const { get, ...call } of calls) read({ ...call, get: get.replace('$user', String(sub)).replace('$parameter', parameter) })
  } catch {
    // not a token of ours: the app will say
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
    begun.device = opening
  } catch {
    // this browser keeps nothing: the app will say
  }
}

if (here?.hasOwnStore) {
  beginDevice()
  // the questions, beside what is this player's
  const questions = known.questions[language]
  if (token && questions) begin(questions)
}
if (here) prefetch(here)
