import { call } from '#app/api/call.ts'
import { happening } from '#app/api/happening.ts'
import { apiUrl } from '#app/api/base-url.ts'
import { languages } from '#app/i18n/i18n.ts'
import { SPORT } from '#contract/constants.ts'
import { fillPath, type Endpoint } from '#contract/endpoint.ts'
import { reference } from '#contract/reference.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import type { StoredInstance } from './stored.ts'
import { fetchInstance } from './instances.ts'
import { instancesOf } from './outbox.ts'

/** Instances made ready before they are needed (design.md 5): questions in both languages, lookups, the shell. */

const lookups: [Endpoint, Record<string, string>][] = [
  [reference.countries, {}],
  [reference.teamOptions, {}],
  [reference.positions, { sportId: SPORT.id }],
]

const prepared = happening()
/** Tells when the last thing that was missing for no signal is there. */
export const onPrepared = prepared.subscribe

/** Fetches what is missing for answering without a signal. Safe to call often. */
export async function prepareInstances(userId: string, open: readonly { instanceId: string }[]): Promise<void> {
  const stored = new Map((await instancesOf(userId)).map((one) => [one.instanceId, one]))
  for (const { instanceId } of open) {
    for (const language of languages) {
      if (!stored.get(instanceId)?.languages.includes(language)) await (await fetchInstance(userId, instanceId, language)).kept
    }
  }
  await untilWorkerAnswers()
  await Promise.all(lookups.map(([endpoint, params]) => call(endpoint, { params })))
  await untilLookupsAreKept()
  prepared.tell()
}

/** On a first visit the worker comes after the page; what is asked for before it is there is not kept. */
async function untilWorkerAnswers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.ready
  if (navigator.serviceWorker.controller) return
  await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
}

/** The worker keeps a reply a moment after it has handed it over. */
async function untilLookupsAreKept(): Promise<void> {
  for (let looks = 0; looks < 10 && !(await areLookupsKept()); looks += 1) await new Promise((resolve) => setTimeout(resolve, 300))
}

async function areLookupsKept(): Promise<boolean> {
  const kept = await Promise.all(lookups.map(([endpoint, params]) => caches.match(apiUrl + fillPath(endpoint.path, params))))
  return kept.every((reply) => reply !== undefined)
}

/** Whether the shell, the questions in both languages and the lookups are really there. */
export async function isReadyOffline(instance: StoredInstance): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return false
  if (!isOpen(instance.summary.status) || languages.some((language) => !instance.languages.includes(language))) return false
  return areLookupsKept()
}
