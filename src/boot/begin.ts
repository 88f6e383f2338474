/**
 * Runs inline in the page, before the app (tools/script-in-page.ts builds it). The URL says which screen it is, so the chunks, the texts
 * and the first reads of that screen are requested at once, instead of one round trip after the other.
 */
import { delay } from '#app/delay.ts'
import type { EarlyStart } from '#app/early-start.ts'
import { LANGUAGE_KEY, preferredLanguage, SHOWN_LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { deviceSchema, openDevice } from '#app/device/store/schema.ts'
import { claimsIn } from '#app/session/claims.ts'
import { readCredentials } from '#app/session/read-credentials.ts'
import { noteSignedInEntry } from '#app/session/signed-in-entry.ts'
import { FALLBACK_LANGUAGE, type Language } from '#contract/languages.ts'
import type { Prefetch } from '#contract/screens.ts'
import type { Build, BuiltScreen } from './build.ts'
import { fetchParts } from './fetch-parts.ts'
import { beginFiles } from './files.ts'
import { progressIn } from './progress.ts'
import { SHOWN_AT_LATEST_MS } from './running.ts'

declare const BUILD: Build

// BUILD must be used only once: the build replaces each occurrence by the whole object
const known = BUILD

// before opening the storage, which is slow on a phone
const here = known.screens.find(({ pattern }) => new RegExp(pattern).test(location.pathname))
let language = FALLBACK_LANGUAGE
const files = beginFiles(progressIn(() => language))
const named = (places: readonly number[]) => places.map((place) => known.files[place] ?? '')
// the worker has them at hand: read meanwhile, what most questions do not need would only delay them
const isFromWorker = Boolean(navigator.serviceWorker?.controller)
const calls = here?.calls ?? []
const first = named((here?.first ?? []).filter((place) => !isFromWorker || !calls.includes(place)))
const rest = [...known.files.slice(0, known.start), ...named(here?.chunks ?? [])]
const words = [...known.common, ...(here ? [here.words] : [])]
const textsIn = (one: Language) => named(words.flatMap((area) => area[one]))
// most people read the language of their browser
void files.ask(first.length > 0 ? [...first, ...textsIn(preferredLanguage(null, navigator.languages))] : rest)
const storage = openStorage()
language = preferredLanguage(shownLanguage() ?? storage.getItem(LANGUAGE_KEY), navigator.languages)
const early: EarlyStart = { replies: {}, fetchParts }
window.earlyStart = early
const allArrived = files.runAll(known.files[known.start - 1] ?? '', first.length > 0 ? askForFirst() : undefined)
early.allArrived = allArrived
void files.ask(textsIn(language))

/** The texts that the first questions need load with their scripts, everything else later. */
function askForFirst() {
  const texts = textsIn(language)
  early.arrived = files.ask(texts)
  const shown = new Promise<void>((resolve) => {
    early.noteShown = resolve
  })
  const before = isFromWorker ? Promise.race([shown, delay(SHOWN_AT_LATEST_MS)]) : early.arrived
  early.callsArrived = files.askAfter(before, named(calls))
  void files.askAfter(before, rest)
  return { script: first.at(-1) ?? '', needs: [...first.slice(0, -1), ...texts], shown }
}

const { accessToken, idToken, refreshToken, expiresAt = 0 } = readCredentials(storage)
// a page that is left before the app has begun would lead the next person here by Back
const userId = subjectOf(idToken)
if (refreshToken !== undefined && userId !== undefined) noteSignedInEntry(userId)
const token = expiresAt > Date.now() ? accessToken : undefined

/** The user id in a token; undefined if it is not one of ours, which the app reports. */
function subjectOf(token = ''): string | undefined {
  try {
    const { sub } = claimsIn(token)
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}

/** The local storage, or an empty one if the browser blocks it: its name throws or is null, or reading it throws. */
function openStorage(): Pick<Storage, 'getItem'> {
  try {
    localStorage.getItem(LANGUAGE_KEY)
    return localStorage
  } catch {
    return { getItem: () => null }
  }
}

/** Null also in a browser that blocks the session storage. */
function shownLanguage(): string | null {
  try {
    return sessionStorage.getItem(SHOWN_LANGUAGE_KEY)
  } catch {
    return null
  }
}

/** Starts a read of the API. api/prefetched.ts uses its reply for the first call with the same request. */
function read({ get, isPublic }: Prefetch): void {
  const authorization = isPublic ? undefined : `Bearer ${token}`
  const headers = { ...known.headers, 'accept-language': language, ...(authorization && { authorization }) }
  begin(known.api + get, authorization, { headers, cache: isPublic ? 'default' : 'no-store', credentials: 'same-origin' })
}

function begin(address: string, authorization?: string, init?: RequestInit): void {
  const askedAt = Date.now()
  // if the connection broke, retry when the files have arrived
  const reply = fetch(address, init).catch(async () => {
    await allArrived
    return fetch(address, init)
  })
  reply.catch(() => undefined)
  early.replies[address] = { askedAt, language, authorization, reply }
}

/** Starts the first reads of the screen, for this user and URL. */
function prefetch({ pattern, prefetch: calls, prefetchFor }: BuiltScreen): void {
  if (!token) return
  try {
    const { sub, userTypeCode } = claimsIn(token)
    if (prefetchFor && prefetchFor !== userTypeCode) return
    const parameter = new RegExp(pattern).exec(location.pathname)?.[1] ?? ''
    for (const { get, ...call } of calls) read({ ...call, get: get.replace('$user', String(sub)).replace('$parameter', parameter) })
  } catch {
    // not one of our tokens: the app reports it
  }
}

/** Opens IndexedDB for device/store/idb.ts, which reads the first question from it and writes the first tap to it. */
function beginDevice(): void {
  try {
    const opening = openDevice(deviceSchema)
    opening.addEventListener('success', () => {
      // until the app uses it, it must not block an upgrade by another tab
      opening.result.onversionchange = () => opening.result.close()
    })
    early.device = opening
  } catch {
    // this browser cannot store anything: the app reports it
  }
}

if (here?.hasOwnStore) {
  beginDevice()
  // the questions, at the same time as the player's own data
  const questions = known.questions[language]
  if (token && questions) begin(questions)
}
if (here) prefetch(here)
