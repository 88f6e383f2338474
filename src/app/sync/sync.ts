import type { SaveBody, SaveReply } from '#contract/instances.ts'
import type { Answers, GroupValue } from '#contract/rules/questionnaire.ts'
import { receiptOf } from '#contract/rules/receipt.ts'

/**
 * The sync core (ANSWERS-1 to ANSWERS-11): sends the rows that the server has not acknowledged until none are left.
 * It reaches the device and the network through ports only, so that the simulation in `tests/chaos` runs the same code.
 * It may be killed at any await: everything it needs to continue is in the device store before anything is sent.
 */

/** The present value of one group. `edit` is a random name of this value; `base` is the server's revision of the group it was made on. */
export interface AnswerRow {
  questionId: string
  sectionName: string
  value: GroupValue
  edit: string
  base: number
  /** place of this edit in the order of all edits of this device: the higher, the newer. A copy keeps that of the row which it replaced */
  order?: number
  /** the value came from the server and was not given on this device */
  isCopy?: boolean
  /** ms since the previous answer, the longest of them if it was changed; never sent (QUESTIONS-22) */
  tookMs?: number
  /** the statements of a ranking that got their number without a tap; never sent (QUESTIONS-8) */
  filled?: readonly string[]
}

/** What the server acknowledged of a group: the edit that it has (null: one that this device does not know) and the group's revision. */
export interface ReceiptRow {
  questionId: string
  edit: string | null
  revision: number
}

/**
 * The save under way for an instance; there is at most one. `body` is the JSON that is sent, the same at every retry;
 * `edits` and `groups` say what it carries, by question id.
 */
export interface OperationRow {
  id: string
  edits: Record<string, string>
  groups: Answers
  body: string
}

/** Why the server refused answers. They stay on the device until the player decides (ANSWERS-7). */
export interface Trouble {
  /** error code of the refusal */
  code: string
  /** epoch ms */
  at: number
  /** the refused edits; undefined: the whole instance was refused */
  edits?: string[]
}

/** The next step of a Submit; stored, so that it continues after an interruption (ANSWERS-10). `details`: waits for the profile (QUESTIONS-19). */
export type FinishStep = 'details' | 'save' | 'complete' | 'results'

/** Whether the server has not completed it yet: after `complete` only the results are still to be read. */
export const isSubmitWaiting = (finish: FinishStep | null) => finish === 'save' || finish === 'complete'

/** One instance on the device, as the sync core reads it. */
export interface DeviceState {
  contentVersion: string
  /** the instance's revision on the server, as this device last read it */
  revision: number
  answers: AnswerRow[]
  receipts: ReceiptRow[]
  operation: OperationRow | undefined
  finish: FinishStep | null
  trouble: Trouble | null
}

/** The server's reply to an operation, to be stored in one transaction. */
export interface Acknowledgement {
  operation: OperationRow
  /** groups whose sent edit the server stored */
  accepted: { questionId: string; revision: number }[]
  /** groups where another device's value stays; this device's is set aside for its owner (ANSWERS-11) */
  superseded: SaveReply['superseded']
  /** of the instance */
  revision: number
  /** epoch ms */
  at: number
}

/** The device store as the sync core uses it; each method is one transaction and rejects if the disk does not take it. */
export interface DevicePort<Completed> {
  /** undefined: this instance is not on the device */
  load(): Promise<DeviceState | undefined>
  storeOperation(operation: OperationRow): Promise<void>
  removeOperation(): Promise<void>
  acknowledge(acknowledgement: Acknowledgement): Promise<void>
  setFinish(step: FinishStep | null): Promise<void>
  setTrouble(trouble: Trouble | null): Promise<void>
  /** stores the results and removes the answers from the device */
  complete(completed: Completed): Promise<void>
}

/** The server as the sync core uses it; each method rejects with `SendFailure`. */
export interface NetworkPort<Completed> {
  /** @param body an operation's JSON */
  save(body: string): Promise<SaveReply>
  complete(): Promise<void>
  /** reads what the device stores of the completed instance */
  results(): Promise<Completed>
}

/** A failed call: `unreachable` is retried automatically; `refused`, with the server's error code, is parked. */
export class SendFailure extends Error {
  readonly reason: 'unreachable' | 'refused'
  readonly code: string
  constructor(reason: 'unreachable' | 'refused', code: string) {
    super(code)
    this.reason = reason
    this.code = code
  }
}

interface SyncPorts<Completed = unknown> {
  device: DevicePort<Completed>
  network: NetworkPort<Completed>
  /** reads the instance from the server and merges it into the device's rows (rows.ts `pullChange`) */
  pull(): Promise<void>
  /** whether the signed-in user is still the rows' owner; checked before each send and after each refusal */
  isOwner(): boolean
  randomId(): string
  /** epoch ms */
  now(): number
  instanceId: string
  deviceId: string
}

/** clean: the server has everything · waiting: for a connection or for the owner · parked: refused, see trouble */
export type SyncOutcome = 'clean' | 'waiting' | 'parked'

// a receipt that never matches is a server bug: park the answers instead of sending them for ever
const RECEIPT_TRIES_MAXIMUM = 3
// the same for a server that says NOT_COMPLETE after every save
const COMPLETE_TRIES_MAXIMUM = 3

/**
 * Sends an instance's unsent answers and continues its Submit. Refusals become `Trouble` on the device and a lost connection
 * 'waiting'; rejects only with errors of the device or bugs.
 */
export async function syncInstance<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome> {
  try {
    for (let tries = 1; ; tries += 1) {
      const outcome = (await sendAnswers(ports)) ?? (await finish(ports))
      if (outcome !== 'again') return outcome
      if (tries === COMPLETE_TRIES_MAXIMUM) throw new SendFailure('refused', 'NOT_COMPLETE')
    }
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error
    if (error.reason === 'unreachable' || !ports.isOwner()) return 'waiting'
    await ports.device.setTrouble({ code: error.code, at: ports.now() })
    return 'parked'
  }
}

/** Sends until nothing is left, then resolves to undefined; any other outcome ends the sync. */
async function sendAnswers<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome | undefined> {
  let mismatches = 0
  // groups per save: halved while looking for the one that the server refuses
  let maxGroups = Number.POSITIVE_INFINITY
  for (;;) {
    const state = await ports.device.load()
    if (!state) return 'clean'
    if (isParkedWhole(state.trouble)) return 'parked'
    const operation = state.operation ?? makeOperation(state, maxGroups, ports)
    if (!operation) return settleParked(state, ports)
    if (!ports.isOwner()) return 'waiting'
    if (!state.operation) await ports.device.storeOperation(operation)
    const reply = await save(ports, operation)
    if (reply === 'new-id') continue
    if (reply === 'refused') {
      maxGroups = Math.max(1, Math.floor(Object.keys(operation.edits).length / 2))
      continue
    }
    if (matchesReply(operation, reply)) {
      // Before this save counts: a gap in the revisions may mean a server restored from a backup, which has lost earlier answers (ANSWERS-17)
      if (reply.revision !== state.revision + 1) await ports.pull()
      const { groups: accepted, superseded, revision } = reply
      await ports.device.acknowledge({ operation, accepted, superseded, revision, at: ports.now() })
      mismatches = 0
      maxGroups *= 2
      continue
    }
    mismatches += 1
    await ports.device.removeOperation()
    if (mismatches >= RECEIPT_TRIES_MAXIMUM) throw new SendFailure('refused', 'RECEIPT_MISMATCH')
  }
}

/** Refusals of the instance as a whole: sending fewer groups would not help. */
const REFUSALS_OF_INSTANCE = new Set(['NOT_FOUND', 'FORBIDDEN', 'ALREADY_COMPLETED', 'INSTANCE_RECLAIMED', 'CONTENT_VERSION_MISMATCH'])

/**
 * Sends one operation. 'new-id': its id was used for other content, so the rows need a new operation (ANSWERS-5). 'refused': one of
 * its groups was refused, and is parked if it was the only one. Rejects with `SendFailure` for everything else.
 */
async function save<Completed>(ports: SyncPorts<Completed>, operation: OperationRow): Promise<SaveReply | 'new-id' | 'refused'> {
  try {
    return await ports.network.save(operation.body)
  } catch (error) {
    if (!(error instanceof SendFailure) || error.reason === 'unreachable' || !ports.isOwner()) throw error
    if (error.code !== 'OPERATION_MISMATCH') {
      if (REFUSALS_OF_INSTANCE.has(error.code)) throw error
      await parkIfSingle(ports, operation, error.code)
    }
    await ports.device.removeOperation()
    return error.code === 'OPERATION_MISMATCH' ? 'new-id' : 'refused'
  }
}

/** Parks the group of an operation that has only one, with the reason; other groups can then be sent. ANSWERS-7 */
async function parkIfSingle<Completed>(ports: SyncPorts<Completed>, operation: OperationRow, code: string): Promise<void> {
  const edits = Object.values(operation.edits)
  if (edits.length > 1) return
  const state = await ports.device.load()
  await ports.device.setTrouble({ code, at: ports.now(), edits: [...(state?.trouble?.edits ?? []), ...edits] })
}

/** The server refused the instance as a whole. */
export function isParkedWhole(trouble: Trouble | null): boolean {
  return trouble !== null && trouble.edits === undefined
}

/** Nothing is left to send: 'parked' if a group still is, else the trouble is cleared. */
async function settleParked<Completed>(state: DeviceState, ports: SyncPorts<Completed>): Promise<'parked' | undefined> {
  if (troubleOf(state)) return 'parked'
  if (state.trouble) await ports.device.setTrouble(null)
  return undefined
}

/** Runs the remaining steps of a Submit. Each may be repeated, so an interrupted one continues here. 'again': there are answers to send first. */
async function finish<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome | 'again'> {
  const state = await ports.device.load()
  if (!state?.finish || state.finish === 'details') return 'clean'
  if (!ports.isOwner()) return 'waiting'
  if (state.finish !== 'results') {
    if (state.finish === 'save') await ports.device.setFinish('complete')
    try {
      await ports.network.complete()
    } catch (error) {
      if (!(error instanceof SendFailure) || error.code !== 'NOT_COMPLETE') throw error
      return recoverIncomplete(ports)
    }
    await ports.device.setFinish('results')
  }
  await ports.device.complete(await ports.network.results())
  return 'clean'
}

/** The server says NOT_COMPLETE: it was restored and needs the answers again (ANSWERS-17), or another device cleared one. */
async function recoverIncomplete<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome | 'again'> {
  await ports.pull()
  const state = await ports.device.load()
  if (state && unsentOf(state).length > 0) return 'again'
  await ports.device.setFinish(null)
  return 'clean'
}

/** The rows that the server has not acknowledged. */
export function unsentOf(state: Pick<DeviceState, 'answers' | 'receipts'>): AnswerRow[] {
  const acknowledged = new Map(state.receipts.map((receipt) => [receipt.questionId, receipt.edit]))
  return state.answers.filter((row) => acknowledged.get(row.questionId) !== row.edit)
}

type WithTrouble = Pick<DeviceState, 'answers' | 'receipts' | 'trouble'>

/** The trouble, or null once every group it is about was answered again. */
export function troubleOf(state: WithTrouble): Trouble | null {
  return isParkedWhole(state.trouble) || parkedOf(state).length > 0 ? state.trouble : null
}

/** The rows that were refused one by one, and not changed since. */
export function parkedOf(state: WithTrouble): AnswerRow[] {
  const edits = new Set(state.trouble?.edits)
  return unsentOf(state).filter(({ edit }) => edits.has(edit))
}

/** A new operation of at most `maxGroups` unsent rows, without parked ones; undefined if there are none. */
function makeOperation(
  state: DeviceState,
  maxGroups: number,
  ports: Pick<SyncPorts, 'randomId' | 'instanceId' | 'deviceId'>,
): OperationRow | undefined {
  const parked = new Set(parkedOf(state))
  const rows = unsentOf(state)
    .filter((row) => !parked.has(row))
    .slice(0, maxGroups)
  if (rows.length === 0) return undefined
  return operationOf(rows, {
    id: ports.randomId(),
    instanceId: ports.instanceId,
    deviceId: ports.deviceId,
    contentVersion: state.contentVersion,
  })
}

/** What an operation carries besides its rows. */
export interface OperationIdentity {
  id: string
  instanceId: string
  deviceId: string
  contentVersion: string
}

/** The operation that saves these rows. */
export function operationOf(rows: readonly AnswerRow[], identity: OperationIdentity): OperationRow {
  return {
    id: identity.id,
    edits: Object.fromEntries(rows.map((row) => [row.questionId, row.edit])),
    groups: Object.fromEntries(rows.map((row) => [row.questionId, row.value])),
    body: JSON.stringify(bodyOf(rows, identity)),
  }
}

/** The body of a save (ANSWERS-4) with what makes it safe to repeat. */
function bodyOf(rows: readonly AnswerRow[], identity: OperationIdentity): SaveBody {
  return {
    instanceId: identity.instanceId,
    responses: rows.flatMap((row) => Object.entries(row.value).map(([id, answer]) => ({ sectionName: row.sectionName, id, answer }))),
    operation: {
      id: identity.id,
      device: identity.deviceId,
      contentVersion: identity.contentVersion,
      groups: rows.map(({ questionId, base, order }) => ({ questionId, base, ...(order !== undefined && { order }) })),
    },
  }
}

/** Whether the reply's count and hash are those of what was sent; only then is it "saved to your account". ANSWERS-6 */
export function matchesReply(operation: OperationRow, reply: SaveReply): boolean {
  const superseded = new Set(reply.superseded.map((group) => group.questionId))
  const receipt = receiptOf(Object.fromEntries(Object.entries(operation.groups).filter(([questionId]) => !superseded.has(questionId))))
  return receipt.count === reply.count && receipt.hash === reply.hash
}
