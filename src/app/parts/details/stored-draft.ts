import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { readUnexpired } from '#app/session/expiring-storage.ts'
import { DRAFT_PREFIX } from '#app/session/stored-copy.ts'
import { Edits } from './edits.ts'
import { changedFields, editedFrom, merged, pick, type Sent } from './merge.ts'

/** What is stored of a form's unsaved input, and under which key. */

/** The form and the person that a draft belongs to. */
export interface DraftPlace {
  form: string
  owner: string
  /** nobody is signed in: stored for a day only */
  isForADay?: boolean
}

const keyStart = ({ form }: DraftPlace) => `${DRAFT_PREFIX}${form}:`

/** A key for each open form, so that two tabs do not overwrite each other's drafts; oldest first. Empty if the storage is blocked. */
export function keysOf(place: DraftPlace): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(keyStart(place)) && key.endsWith(`:${place.owner}`))
      .toSorted()
  } catch {
    return []
  }
}

/** The draft that a form in this tab has stored. */
export function keyOfTab(place: DraftPlace): string | null {
  try {
    return sessionStorage.getItem(keyStart(place))
  } catch {
    return null
  }
}

export function forgetKeyOfTab(place: DraftPlace): void {
  try {
    sessionStorage.removeItem(keyStart(place))
  } catch {
    // blocked: it has none
  }
}

/** A key of its own, which the tab notes. */
export function newKey(place: DraftPlace): string {
  const key = `${keyStart(place)}${Date.now()}-${Math.random().toString(36).slice(2)}:${place.owner}`
  trySetItem(keyStart(place), key, sessionStorage)
  return key
}

/** Fields that were saved again after they were typed in: as they were typed (`values`), and what has been saved (`base`), which the form shows. */
export interface Overtaken<Values> {
  values: Partial<Values>
  base: Partial<Values>
}

export interface StoredDraft<Values> {
  key: string
  text: string
  /** what the form shows with it */
  values: Values
  /** what had been sent when it was stored */
  sends: readonly Sent<Values>[]
  overtaken: Overtaken<Values>
}

export const noneOvertaken = () => ({ values: {}, base: {} })

interface Stored {
  [field: string]: unknown
  [BASE]: object
  [SENDS]: readonly Sent<object>[]
  [OVERTAKEN]: Overtaken<object>
}

const BASE = 'savedBefore'
const SENDS = 'sends'
const OVERTAKEN = 'overtaken'

/**
 * The text of a draft: only the fields that were typed in (`typed`), as another tab may save the others meanwhile, and what was saved and sent
 * of these.
 */
export function draftText<Values extends object>(
  values: Values,
  { typed, base, sends, overtaken }: { typed: object; base: Values; sends: readonly Sent<Values>[]; overtaken: Overtaken<Values> },
): string {
  return JSON.stringify({
    ...pick(values, typed),
    [BASE]: pick(base, typed),
    [SENDS]: sends.map((one) => ({ values: pick(one.values, typed), base: pick(one.base, typed) })),
    [OVERTAKEN]: overtaken,
  } satisfies Stored)
}

/** Undefined if there is none, or none can be read. */
export function readText(place: DraftPlace, key: string): string | undefined {
  try {
    return (place.isForADay ? readUnexpired(key) : localStorage.getItem(key)) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Undefined if there is none, it cannot be read, or all of it is saved.
 * @param typed elsewhere: in another tab or visit, so that what was saved since is newer for whoever is here
 */
export function draftAt<Values extends object>(
  place: DraftPlace,
  key: string,
  saved: Values,
  typed: 'here' | 'elsewhere' = 'here',
): StoredDraft<Values> | undefined {
  const text = readText(place, key)
  const stored = text === undefined ? undefined : parsed(text)
  if (text === undefined || !isObject(stored)) return undefined
  const sends = (Array.isArray(stored[SENDS]) ? stored[SENDS].filter(isObject) : []).map((one) => ({
    values: overlay(saved, one['values']),
    base: overlay(saved, one['base']),
  }))
  const base = editedFrom(overlay(saved, stored[BASE]), sends, saved)
  const ofDraft = overlay(saved, stored)
  const asTyped = merged(base, ofDraft, saved)
  // the values that the form would show if what was typed gave way
  const asSaved = merged(base, saved, ofDraft)
  const newer = typed === 'elsewhere' ? changedFields(asSaved, asTyped) : {}
  const before = isObject(stored[OVERTAKEN]) ? stored[OVERTAKEN] : {}
  const stillOvertaken = changedFields(merged(overlay(saved, before['base']), overlay(saved, before['values']), saved), saved)
  const overtaken = { values: { ...stillOvertaken, ...pick(asTyped, newer) }, base: pick(saved, { ...stillOvertaken, ...newer }) }
  const isSaved = Object.keys(new Edits({ values: saved }, sends).unsaved(asTyped)).length === 0
  if (isSaved && Object.keys(overtaken.values).length === 0) return undefined
  return { key, text, values: { ...asTyped, ...pick(saved, newer) }, sends, overtaken }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The draft's text, object or list wherever `start` has the same type; anything else in the draft is ignored. */
export function overlay<Value>(start: Value, draft: unknown): Value {
  if (Array.isArray(start)) return (Array.isArray(draft) ? draft.filter(isFlat) : start) as Value // the draft's list replaces it
  if (typeof start === 'object' && start !== null) {
    if (!isObject(draft)) return start
    const given = new Map(Object.entries(draft))
    return Object.fromEntries(Object.entries(start).map(([name, value]) => [name, overlay(value, given.get(name))])) as Value // same keys
  }
  return typeof draft === typeof start ? (draft as Value) : start // typeof was compared
}

function isFlat(item: unknown): boolean {
  return isObject(item) && Object.values(item).every((value) => typeof value === 'string')
}
