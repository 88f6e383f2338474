import { call } from '#app/api/call.ts'
import { happening } from '#app/api/happening.ts'
import { apiUrl } from '#app/api/base-url.ts'
import { languages, type Language } from '#app/i18n/i18n.ts'
import { SPORT } from '#contract/constants.ts'
import { fillPath, type Endpoint } from '#contract/endpoint.ts'
import { instances, type Instance } from '#contract/instances.ts'
import { reference } from '#contract/reference.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { instancesOf } from './outbox.ts'
import { mayKeep } from './owner.ts'
import { keepInstance, loadInstance, type InstanceKey } from './device-store.ts'
import type { StoredInstance } from './db.ts'

/** Instances made ready before they are needed (design.md 5): definitions in both languages, lookups, the shell. */

export interface ReadyInstance {
  instance: StoredInstance
  sections: Section[]
  /** of the sections */
  language: string
}

/** From the server, kept on the way where the device lets us. Rejects with `ApiError`. */
export async function fetchInstance(userId: string, instanceId: string, language: string): Promise<Instance> {
  const instance = await call(instances.get, { params: { instanceId } }, { language })
  if (mayKeep(userId))
    await keepInstance(userId, language, instance, Date.now()).catch((error: unknown) =>
      console.warn('The instance is not kept on this device', error),
    )
  return instance
}

/** What is stored, with its sections in this language or, better than nothing, another. */
export async function storedInstance(key: InstanceKey, language: string): Promise<ReadyInstance | undefined> {
  const instance = await loadInstance(key)
  for (const one of [language, ...languages]) {
    const sections = instance?.definitions[one]
    if (instance && sections) return { instance, sections, language: one }
  }
  return undefined
}

/** An instance as the server sent it, in the form in which it is stored. */
export function asReady(
  userId: string,
  language: string,
  { sections, responses: _responses, groups: _groups, revision: _revision, ...summary }: Instance,
): ReadyInstance {
  return {
    sections,
    language,
    instance: {
      userId,
      instanceId: summary.instanceId,
      contentVersion: summary.contentVersion,
      summary,
      definitions: {},
      finish: null,
      trouble: null,
      savedAt: null,
      storedAt: Date.now(),
    },
  }
}

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
      if (!stored.get(instanceId)?.definitions[language]) await fetchInstance(userId, instanceId, language)
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

/** Whether the shell, both definitions and the lookups are really there. */
export async function isReadyOffline(instance: StoredInstance): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return false
  if (!isOpen(instance.summary.status) || languages.some((language: Language) => !instance.definitions[language])) return false
  return areLookupsKept()
}
