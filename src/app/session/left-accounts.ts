/**
 * Accounts that are no longer signed in here but may still have data stored: the server is asked whether they were erased.
 * docs/decisions/0059-a-device-learns-of-an-erasure.md
 */
import { onReturn } from '#app/ui/browser/on-return.ts'
import { createEvent } from '#app/api/events.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import type { AccountState } from '#contract/auth.ts'
import { pendingClearings } from './pending-clearing.ts'

export const LEFT_ACCOUNTS_KEY = 'leftAccounts'
export const ERASED_KEY = 'erasedHere'

export interface LeftAccount {
  userId: string
  /** that this device was signed in to it; see the id token */
  proof: string
  /** as the server last said */
  state?: AccountState
  /** epoch ms of its last reply */
  askedAt?: number
  /** for a missing account: how many answers are on this device, and so nowhere else */
  answers?: number
}

/** What was removed of erased accounts, until the person was shown it. The device store has the same record, which survives a killed browser. */
export interface Erasure {
  id: string
  /** answers that had not been sent */
  unsent: number
}

const changed = createEvent()

/** Calls the listener when an account was left, asked about or removed, here or in another tab. Returns a function that unsubscribes. */
export function onLeftAccounts(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === LEFT_ACCOUNTS_KEY || key === ERASED_KEY || key === null) listener()
  }
  addEventListener('storage', listen)
  const stops = [changed.subscribe(listener), onReturn(listener)]
  return () => {
    removeEventListener('storage', listen)
    for (const stop of stops) stop()
  }
}

export function leftAccounts(): LeftAccount[] {
  const stored = parsed(LEFT_ACCOUNTS_KEY)
  return Array.isArray(stored) ? stored.filter(isLeftAccount) : []
}

/** Whether the server said that this account is closed. It was closed on another device, since closing it here leaves nothing of it. */
export function isLeftClosed(id: string | undefined): boolean {
  return leftAccounts().some(({ userId, state }) => userId === id && state === 'closed')
}

/** of which the server said to this page that they are open, also where nothing of them is stored any more */
const open = new Set<string>()

/** Whether the server said, since this account was left, that it is open. */
export function isLeftOpen(id: string | undefined): boolean {
  return id !== undefined && (open.has(id) || leftAccounts().some(({ userId, state }) => userId === id && state === 'kept'))
}

/** The server says that it is open. */
export function noteLeftOpen(id: string): void {
  open.add(id)
  changed.emit()
}

/** Adds an account, or replaces what is known of it. */
export function noteLeftAccount(account: LeftAccount): void {
  open.delete(account.userId)
  put([...others(account.userId), account])
}

export function changeLeftAccount(userId: string, change: Omit<LeftAccount, 'userId' | 'proof'>): void {
  put(leftAccounts().map((one) => (one.userId === userId ? { ...one, ...change } : one)))
}

export function removeLeftAccount(userId: string): void {
  put(others(userId))
}

const others = (userId: string) => leftAccounts().filter((one) => one.userId !== userId)

function put(accounts: readonly LeftAccount[]): void {
  if (accounts.length > 0) trySetItem(LEFT_ACCOUNTS_KEY, JSON.stringify(accounts))
  else localStorage.removeItem(LEFT_ACCOUNTS_KEY)
  changed.emit()
}

/** What has not been shown yet of erased accounts. */
export function unreadErasure(): Erasure | undefined {
  const stored = parsed(ERASED_KEY)
  return isErased(stored) ? stored : undefined
}

/** The id of the note that was shown last. */
export function readErasureId(): string | undefined {
  return ((parsed(ERASED_KEY) ?? {}) as { said?: string }).said
}

/** Whether an account that this tab had open was erased, and removed by another tab meanwhile: nothing is recorded about it then. */
export function isErasedElsewhere(id: string | undefined): boolean {
  const isOf = ({ userId }: { userId: string }) => userId === id
  const left = leftAccounts().find(isOf)
  if (id === undefined || left) return left?.state === 'erased'
  return parsed(ERASED_KEY) !== null && !pendingClearings().some(isOf)
}

/** Records that an account was erased and all its data here removed, together with earlier removals that were not shown yet. */
export function noteErasure(erased: Erasure): void {
  trySetItem(ERASED_KEY, JSON.stringify(erased))
  changed.emit()
}

/** The person was shown this number; removals added meanwhile are still to be shown. */
export function noteErasureRead(unsent: number): void {
  const erased = unreadErasure()
  if (erased?.unsent !== unsent) return
  trySetItem(ERASED_KEY, JSON.stringify({ said: erased.id }))
  changed.emit()
}

function isErased(value: unknown): value is Erasure {
  const { id, unsent } = (value ?? {}) as Partial<Erasure>
  return typeof id === 'string' && typeof unsent === 'number'
}

function parsed(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}

function isLeftAccount(value: unknown): value is LeftAccount {
  const { userId, proof } = (value ?? {}) as Partial<LeftAccount>
  // a reply to the proof of one account says nothing about another
  return typeof userId === 'string' && typeof proof === 'string' && proof.startsWith(`${userId}.`)
}
