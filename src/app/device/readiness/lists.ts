import { delay } from '#app/delay.ts'
import { apiUrl, mediaUrl } from '#app/api/base-url.ts'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { SPORT } from '#contract/constants.ts'
import { fillPath, type Endpoint } from '#contract/endpoint.ts'
import { reference } from '#contract/reference.ts'
import { mayHaveWorker, noteNoWorker } from './shell-files.ts'

/** The lists of the details form: lookups, and the cities of the player's country. The worker stores them (sw/read-cache.ts). */

const lookups: [Endpoint, Record<string, string>][] = [
  [reference.countries, {}],
  [reference.teamOptions, {}],
  [reference.positions, { sportId: SPORT.id }],
]

const lookupUrls = lookups.map(([endpoint, params]) => apiUrl + fillPath(endpoint.path, params))

/** @param country of the profile; undefined: no list of cities is needed */
export async function areListsStored(country: string | undefined): Promise<boolean> {
  const stored = await Promise.all(lookupUrls.map((url) => caches.match(url)))
  if (!stored.every((reply) => reply !== undefined)) return false
  const url = await cityListUrl(country)
  return url === undefined || (await caches.match(url)) !== undefined
}

/** Fetches the missing lists through the worker, which stores them. Rejects with `ApiError`, or if there is no worker. */
export async function fetchLists(country: string | undefined): Promise<void> {
  if (await areListsStored(country)) return
  await waitForController()
  await Promise.all(lookups.map(([endpoint, params]) => call(endpoint, { params })))
  await waitUntilStored(undefined)
  const url = await cityListUrl(country)
  if (url !== undefined) await (await fetch(url)).arrayBuffer()
  await waitUntilStored(country)
}

async function cityListUrl(country: string | undefined): Promise<string | undefined> {
  const reply = country ? await caches.match(apiUrl + fillPath(reference.countries.path)) : undefined
  const parsed = reply && reference.countries.reply.safeParse(await reply.json())
  const file = parsed?.data?.countries.find(({ countryName }) => countryName === country)?.cityFile
  return file && `${mediaUrl}cities/${encodeURIComponent(file)}`
}

const POLL_MS = 500
const POLLS_WITHOUT_WORKER = 120

/** Waits until a worker controls the page: before that, on a first visit, replies are not stored. Rejects if none appears within a minute. */
export async function waitForController(): Promise<void> {
  for (let polls = 0; polls < POLLS_WITHOUT_WORKER;) {
    if (navigator.serviceWorker.controller) return
    if (!(await mayHaveWorker())) break
    // not counted while a worker is being installed, as its files may take minutes, nor without a connection
    if (network.isReachable() && !(await navigator.serviceWorker.getRegistration())?.installing) polls += 1
    await delay(POLL_MS)
  }
  noteNoWorker()
  throw new Error('no service worker controls the page')
}

/** The worker stores a reply shortly after returning it. */
async function waitUntilStored(country: string | undefined): Promise<void> {
  for (let polls = 0; polls < 10 && !(await areListsStored(country)); polls += 1) await delay(300)
}
