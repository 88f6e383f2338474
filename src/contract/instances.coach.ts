import * as z from 'zod/mini'
import { PLAYER_TYPES, TABLE_POSITIONS } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { instanceSummary, standing } from './instances.ts'
import { LANGUAGES } from './languages.ts'
import { pageOfRows } from './paging.ts'
import { email, requiredText } from './rules/profile.ts'
import { INSTANCE_STATUSES, INVITATION_STATES } from './rules/statuses.ts'

/** Calls for a coach's screens: apart from `instances.ts`, since no player loads them. */

/**
 * API-18: what a coach notes on a row of the team table; null takes a note back. `ownerUserId`
 * is checked, never trusted: the coach's own id or the player's.
 */
export const instanceChange = z.partial(
  z.strictObject({
    userTeam: z.nullable(requiredText('TeamNameRequired')),
    userPositionName: z.nullable(z.enum(TABLE_POSITIONS, { error: 'PositionInvalid' })),
    userPlayerType: z.enum(PLAYER_TYPES, { error: 'PlayerTypeInvalid' }),
    ownerUserId: z.string(),
  }),
)

// the player who holds it is refused as one who is known (403), everybody else like nobody (404)
const updating = {
  path: 'assessment/assessment-instance/{instanceId}',
  access: ['player', 'coach'],
  params: z.strictObject({ instanceId: z.string() }),
  body: instanceChange,
  reply: instanceSummary,
  errors: ['INVALID_NAME'],
  changes: ['AssessmentInstance', 'CoachAssessments'],
} as const

/**
 * An instance as the coach who gave it away sees it in the team table: what the coach typed and the state; once the
 * player has opened the brief also whose it is, and in the end what stands of the result (PRIVACY-2, PRIVACY-3).
 */
export const allocatedInstance = z.object({
  ...z.omit(instanceSummary, { videoUrls: true, contentVersion: true, results: true, status: true, revision: true }).shape,
  /** one of INSTANCE_STATUSES; the table shows others as they come (TEAM-2) */
  status: z.string(),
  invitation: z.nullable(z.enum(INVITATION_STATES)),
  /** an invitation that was held back: from when one may be sent, UTC instant. Not said by a server that does not know of it */
  heldUntil: z.optional(z.nullable(z.string())),
  /** whether `userId` has a profile picture */
  hasProfilePicture: z.boolean(),
  results: z.nullable(standing),
})
export type AllocatedInstance = z.output<typeof allocatedInstance>

const playerAndAssessment = { playerEmail: email('EmailInvalid'), assessmentId: z.string().check(z.maxLength(100)) }

export const instancesForCoach = {
  /** Everything this coach gave away and did not take back; `status` narrows it, with a `limit` it comes by pages. */
  allocated: endpoint({
    method: 'GET',
    path: 'assessment/coach/allocated',
    access: ['coach'],
    query: z.strictObject({ status: z.optional(z.enum(INSTANCE_STATUSES)), ...pageOfRows }),
    reply: z.object({ assessments: z.array(allocatedInstance) }),
    errors: [],
    tag: 'CoachAssessments',
    summary: 'The instances this coach gave to players',
  }),
  /**
   * Gives a player one assessment for one token, and sends the invitation. `operationId` makes it safe to repeat: the
   * same id with the same player and assessment answers the same instance and takes no second token; with others it is
   * OPERATION_MISMATCH. Of several coaches or tabs that want the last token, one gets it. Where others have mailed an
   * address as often as may be, it is given all the same, without a mail (`heldUntil`).
   */
  allocate: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/allocate',
    access: ['coach'],
    body: z.strictObject({
      ...playerAndAssessment,
      operationId: z.optional(z.uuid()),
      /** what the coach calls the player: the row's name until the player's own is shown. Only this coach sees it */
      playerName: z.optional(requiredText('NameInvalid')),
      /** of the invitation to somebody without an account; the coach's own unless told */
      language: z.optional(z.enum(LANGUAGES)),
    }),
    reply: allocatedInstance,
    status: 201,
    errors: [
      'INVALID_EMAIL',
      'INVALID_NAME',
      'COACH_ALLOCATION_NOT_ALLOWED',
      'NO_TOKENS_AVAILABLE',
      'ALREADY_ALLOCATED',
      'OPERATION_MISMATCH',
      'ALLOCATION_LIMIT',
      'ADDRESS_LIMIT',
    ],
    changes: ['Token', 'CoachAssessments', 'AssessmentInstance'],
    summary: 'Give a player an assessment for one token',
  }),
  /** Sends the invitation of a pending instance again, at most RESENDS_MAXIMUM times, and as often in a week to one address. */
  resend: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/resend',
    access: ['coach'],
    body: z.strictObject(playerAndAssessment),
    reply: z.object({ dateSent: z.string() }),
    errors: ['INVALID_EMAIL', 'ALREADY_COMPLETED', 'RESEND_LIMIT', 'ADDRESS_LIMIT', 'INVITATION_UNWANTED'],
    changes: ['Token'],
    summary: 'Send an invitation again',
  }),
  /**
   * Takes an instance back with its token, unless it is completed; both or neither. `seenStatus` is what the coach was
   * shown: when the player began meanwhile, nothing happens and PLAYER_HAS_BEGUN says so (ASSIGN-20).
   */
  reclaim: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/reclaim',
    access: ['coach'],
    params: z.strictObject({ instanceId: z.string() }),
    query: z.strictObject({ seenStatus: z.optional(z.enum(INSTANCE_STATUSES)) }),
    reply: z.object({ instanceId: z.string(), status: z.literal('RECLAIMED') }),
    errors: ['ALREADY_COMPLETED', 'ALREADY_RECLAIMED', 'PLAYER_HAS_BEGUN'],
    changes: ['Token', 'CoachAssessments', 'AssessmentInstance'],
    summary: 'Take an assessment back from a player, with its token',
  }),
  /**
   * Gives what was given to a wrong address to the right one, for the same token: taken back there and given here, both or
   * neither, with its name, notes and language. Only while nobody has opened it: else PLAYER_HAS_BEGUN. `operationId` as in
   * `allocate`. Nothing is mailed to the wrong address.
   */
  correctAddress: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/correct-address',
    access: ['coach'],
    params: z.strictObject({ instanceId: z.string() }),
    body: z.strictObject({ playerEmail: email('EmailInvalid'), operationId: z.optional(z.uuid()) }),
    reply: allocatedInstance,
    status: 201,
    errors: [
      'INVALID_EMAIL',
      'COACH_ALLOCATION_NOT_ALLOWED',
      'ALREADY_ALLOCATED',
      'ALREADY_COMPLETED',
      'ALREADY_RECLAIMED',
      'PLAYER_HAS_BEGUN',
      'OPERATION_MISMATCH',
      'ALLOCATION_LIMIT',
      'ADDRESS_LIMIT',
    ],
    changes: ['Token', 'CoachAssessments', 'AssessmentInstance'],
    summary: 'Give an assessment to the right address, for the token of the wrong one',
  }),
  update: endpoint({ ...updating, method: 'PATCH', summary: 'Note team, position or player type on an instance' }),
  /** The same rules as PATCH: what is not named stays. */
  replace: endpoint({ ...updating, method: 'PUT', summary: 'The same as PATCH' }),
}
