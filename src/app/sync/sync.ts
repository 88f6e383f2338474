import type { SaveBody, SaveReply } from '#contract/instances.ts'
import type { Answers, GroupValue } from '#contract/rules/questionnaire.ts'
import { receiptOf } from '#contract/rules/receipt.ts'

/**
 * The sync core (ANSWERS-1 to ANSWERS-11): what the device has and the server has not acknowledged is sent,
 * until nothing is left. Pure, behind ports, so that this very code runs in the simulation of `tests/chaos`.
 * It may be killed at any await: whatever it needs to go on is in the device store before anything is sent.
 */

/** One group as the player left it. `edit` names this very value; `base` is the server revision it was made on. */
export interface AnswerRow {
  questionId: string
  sectionName: string
  value: GroupValue
  edit: string
  base: number
  /** it came from the server, and is no answer given on this device */
  isCopy?: boolean
}

/** What the server acknowledged of a group: the edit that it holds, and its revision. */
export interface ReceiptRow {
  questionId: string
  edit: string | null
  revision: number
}

/** The one operation under way for an instance: its bytes, and the edits and groups they carry. A retry sends the same bytes. */
export interface OperationRow {
  id: string
  edits: Record<string, string>
  groups: Answers
  body: string
}

/** Why answers are not sent: they stay, and the player decides (ANSWERS-7). */
export interface Trouble {
  code: string
  at: number
  /** the edits it is about, where the server refuses only these; undefined: all of the instance */
  edits?: string[]
}

/** Submit as a chain that survives being killed (ANSWERS-10). `details`: the player is asked for what is missing (QUESTIONS-19). */
export type FinishStep = 'details' | 'save' | 'complete' | 'results'

export interface DeviceState {
  contentVersion: string
  /** the instance's revision on the server, as it was last told to this device */
  revision: number
  answers: AnswerRow[]
  receipts: ReceiptRow[]
  operation: OperationRow | undefined
  finish: FinishStep | null
  trouble: Trouble | null
}

/** What came back for an operation, ready to be written in one transaction. */
export interface Acknowledgement {
  operation: OperationRow
  /** groups whose sent edit the server holds */
  accepted: { questionId: string; revision: number }[]
  /** groups where another device's value stays; this device's is set aside for its owner (ANSWERS-11) */
  superseded: { questionId: string; revision: number; value: GroupValue }[]
  /** of the instance */
  revision: number
  at: number
}

export interface DevicePort<Completed> {
  /** undefined: this instance is not on the device */
  load(): Promise<DeviceState | undefined>
  storeOperation(operation: OperationRow): Promise<void>
  dropOperation(): Promise<void>
  acknowledge(acknowledgement: Acknowledgement): Promise<void>
  setFinish(step: FinishStep | null): Promise<void>
  setTrouble(trouble: Trouble | null): Promise<void>
  /** results are stored; the raw answers leave the device */
  done(completed: Completed): Promise<void>
}

export interface NetworkPort<Completed> {
  save(body: string): Promise<SaveReply>
  complete(): Promise<void>
  /** what stays readable of the completed instance */
  results(): Promise<Completed>
}

/** A call that did not succeed: `unreachable` is tried again by itself, a refusal is parked. */
export class SendFailure extends Error {
  readonly reason: 'unreachable' | 'refused'
  readonly code: string
  constructor(reason: 'unreachable' | 'refused', code: string) {
    super(code)
    this.reason = reason
    this.code = code
  }
}

export interface SyncPorts<Completed = unknown> {
  device: DevicePort<Completed>
  network: NetworkPort<Completed>
  /** reads the instance from the server and merges it into the device's rows (rows.ts `pulled`) */
  pull(): Promise<void>
  /** the signed-in user still is the rows' owner; asked before each send and after each refusal */
  isOwner(): boolean
  randomId(): string
  now(): number
  instanceId: string
  deviceId: string
}

/** clean: the server has everything · waiting: for a connection or for the owner · parked: refused, see trouble */
export type SyncOutcome = 'clean' | 'waiting' | 'parked'

// a receipt that never matches is the server's fault: report it instead of sending for ever
const RECEIPT_TRIES = 3
// the same for a server that loses at each Submit what it was given
const COMPLETE_TRIES = 3

export async function syncInstance<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome> {
  try {
    for (let tries = 1; ; tries += 1) {
      const outcome = (await sendAnswers(ports)) ?? (await finish(ports))
      if (outcome !== 'again') return outcome
      if (tries === COMPLETE_TRIES) throw new SendFailure('refused', 'NOT_COMPLETE')
    }
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error
    if (error.reason === 'unreachable' || !ports.isOwner()) return 'waiting'
    await ports.device.setTrouble({ code: error.code, at: ports.now() })
    return 'parked'
  }
}

/** undefined once nothing is left to send. */
async function sendAnswers<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome | undefined> {
  let mismatches = 0
  // how many groups go together: fewer and fewer while one that the server refuses is looked for
  let atMost = Number.POSITIVE_INFINITY
  for (;;) {
    const state = await ports.device.load()
    if (!state) return 'clean'
    if (isParkedWhole(state.trouble)) return 'parked'
    const operation = state.operation ?? cutOperation(state, atMost, ports)
    if (!operation) return settleParked(state, ports)
    if (!ports.isOwner()) return 'waiting'
    if (!state.operation) await ports.device.storeOperation(operation)
    const reply = await save(ports, operation)
    if (reply === 'new-id') continue
    if (reply === 'refused') {
      atMost = Math.max(1, Math.floor(Object.keys(operation.edits).length / 2))
      continue
    }
    if (agrees(operation, reply)) {
      // First, before any of it counts as saved: a jump may mean a server restored from a backup, which has lost more than this (ANSWERS-17)
      if (reply.revision !== state.revision + 1) await ports.pull()
      const { groups: accepted, superseded, revision } = reply
      await ports.device.acknowledge({ operation, accepted, superseded, revision, at: ports.now() })
      mismatches = 0
      atMost *= 2
      continue
    }
    mismatches += 1
    await ports.device.dropOperation()
    if (mismatches >= RECEIPT_TRIES) throw new SendFailure('refused', 'RECEIPT_MISMATCH')
  }
}

/** Refusals that no smaller part of a save would be spared. */
const OF_WHOLE = new Set(['NOT_FOUND', 'FORBIDDEN', 'ALREADY_COMPLETED', 'INSTANCE_RECLAIMED', 'CONTENT_VERSION_MISMATCH'])

/** `new-id`: the id was used for other content, the rows need a new one (ANSWERS-5). `refused`: one of its groups, which is parked if it is the only one. */
async function save<Completed>(ports: SyncPorts<Completed>, operation: OperationRow): Promise<SaveReply | 'new-id' | 'refused'> {
  try {
    return await ports.network.save(operation.body)
  } catch (error) {
    if (!(error instanceof SendFailure) || error.reason === 'unreachable' || !ports.isOwner()) throw error
    if (error.code !== 'OPERATION_MISMATCH') {
      if (OF_WHOLE.has(error.code)) throw error
      await parkOnly(ports, operation, error.code)
    }
    await ports.device.dropOperation()
    return error.code === 'OPERATION_MISMATCH' ? 'new-id' : 'refused'
  }
}

/** The one group that the server refuses is set aside with its reason; the others are sent. ANSWERS-7 */
async function parkOnly<Completed>(ports: SyncPorts<Completed>, operation: OperationRow, code: string): Promise<void> {
  const edits = Object.values(operation.edits)
  if (edits.length > 1) return
  const state = await ports.device.load()
  await ports.device.setTrouble({ code, at: ports.now(), edits: [...(state?.trouble?.edits ?? []), ...edits] })
}

function isParkedWhole(trouble: Trouble | null): boolean {
  return trouble !== null && trouble.edits === undefined
}

/** Nothing can be sent: what was parked still is, or was answered again and is sent. */
async function settleParked<Completed>(state: DeviceState, ports: SyncPorts<Completed>): Promise<'parked' | undefined> {
  if (troubleOf(state)) return 'parked'
  if (state.trouble) await ports.device.setTrouble(null)
  return undefined
}

/** Save, complete, results: each step may be repeated, and the next start goes on where this one died. `again`: there is more to send. */
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
      return comeBack(ports)
    }
    await ports.device.setFinish('results')
  }
  await ports.device.done(await ports.network.results())
  return 'clean'
}

/** Something is unanswered after all: a restored server needs it again (ANSWERS-17), or another device cleared it. */
async function comeBack<Completed>(ports: SyncPorts<Completed>): Promise<SyncOutcome | 'again'> {
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

/** The trouble, if it still is one: a group that was parked by itself may have been answered again. */
export function troubleOf(state: WithTrouble): Trouble | null {
  return isParkedWhole(state.trouble) || parkedOf(state).length > 0 ? state.trouble : null
}

/** Groups that are parked by themselves, and were not changed since. */
export function parkedOf(state: WithTrouble): AnswerRow[] {
  const edits = new Set(state.trouble?.edits)
  return unsentOf(state).filter(({ edit }) => edits.has(edit))
}

function cutOperation(
  state: DeviceState,
  atMost: number,
  ports: Pick<SyncPorts, 'randomId' | 'instanceId' | 'deviceId'>,
): OperationRow | undefined {
  const parked = new Set(parkedOf(state))
  const rows = unsentOf(state)
    .filter((row) => !parked.has(row))
    .slice(0, atMost)
  if (rows.length === 0) return undefined
  return operationOf(rows, {
    id: ports.randomId(),
    instanceId: ports.instanceId,
    deviceId: ports.deviceId,
    contentVersion: state.contentVersion,
  })
}

export interface OperationIdentity {
  id: string
  instanceId: string
  deviceId: string
  contentVersion: string
}

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
      groups: rows.map((row) => ({ questionId: row.questionId, base: row.base })),
    },
  }
}

/** "Saved to your account" only when count and hash of what is stored are those of what was sent. ANSWERS-6 */
export function agrees(operation: OperationRow, reply: SaveReply): boolean {
  const superseded = new Set(reply.superseded.map((group) => group.questionId))
  const receipt = receiptOf(Object.fromEntries(Object.entries(operation.groups).filter(([questionId]) => !superseded.has(questionId))))
  return receipt.count === reply.count && receipt.hash === reply.hash
}
