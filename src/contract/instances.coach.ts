import * as z from 'zod/mini'
import { PLAYER_TYPES, TABLE_POSITIONS } from './constants.ts'
import { bounce } from './bounces.ts'
import { endpoint } from './endpoint.ts'
import { instanceSummary, resultType, clearLetters, clearStyles } from './instances.ts'
import { LANGUAGES } from './languages.ts'
import { pageOfRows } from './paging.ts'
import { email, requiredText } from './rules/fields.ts'
import { INSTANCE_STATUSES, INVITATION_STATES } from './rules/statuses.ts'

/** Calls for a coach's screens. They are not in `instances.ts`, because a player's questionnaire never loads them. */

/**
 * What a coach notes on a row of the team table; null removes a note. `ownerUserId` must be the coach's own id or the player's,
 * and grants nothing. API-18
 */
const instanceChange = z.partial(
  z.strictObject({
    userTeam: z.nullable(requiredText('TeamNameRequired')),
    userPositionName: z.nullable(z.enum(TABLE_POSITIONS, { error: 'PositionInvalid' })),
    userPlayerType: z.enum(PLAYER_TYPES, { error: 'PlayerTypeInvalid' }),
    ownerUserId: z.string(),
  }),
)

// players are allowed only so that the instance's own player gets 403, as specified; everybody else gets 404
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
 * An instance as the coach who allocated it sees it in the team table: what the coach typed, and its status; who the player is once
 * they have opened the brief; the type that came out once it is completed (PRIVACY-2, PRIVACY-3).
 */
const allocatedInstance = z.object({
  ...z.omit(instanceSummary, { videoUrls: true, contentVersion: true, results: true, revision: true }).shape,
  /** one of INSTANCE_STATUSES; the table shows any other value as it is (TEAM-2) */
  status: z.string(),
  invitation: z.nullable(z.enum(INVITATION_STATES)),
  /** if the invitation was held back: when one may be sent, UTC instant. Absent from replies of older servers */
  heldUntil: z.optional(z.nullable(z.string())),
  /** if mail to the address came back. Absent from replies of older servers */
  bounced: z.optional(z.nullable(bounce)),
  /** whether the user `userId` has a profile picture */
  hasProfilePicture: z.boolean(),
  results: z.nullable(resultType),
})
export type AllocatedInstance = z.output<typeof allocatedInstance>

/** When the advice of a coach's page applies, in the order of the page. */
export const SITUATIONS = ['feedback', 'exercise', 'beforeMatch', 'afterMatch', 'mistake'] as const
export type Situation = (typeof SITUATIONS)[number]

/** What is clear in a result. Where neither side is, nothing tells which one is nearer (PRIVACY-2). */
const clearResult = z.object({
  Section1: z.object({ styles: clearStyles }),
  section2: z.object({ axes: clearLetters }),
})
export type ClearResult = z.output<typeof clearResult>

/** The coach's page of a player: what is clear in the result, and what a coach could try, each line with what it follows from (TEAM-8). */
const coachReport = z.object({
  instanceId: z.string(),
  /** as the reader may see the player */
  userName: z.nullable(z.string()),
  userLastname: z.nullable(z.string()),
  /** of the assessment */
  name: z.string(),
  completedDate: z.nullable(z.string()),
  results: clearResult,
  advice: z.object({
    situations: z.array(
      z.object({
        /** one of SITUATIONS; the page leaves out any other, of a newer server */
        situation: z.string(),
        /** `source`: the letter, or the learning style's name. Empty where nothing that is clear says anything */
        lines: z.array(z.object({ source: z.string(), text: z.string() })),
      }),
    ),
    questions: z.array(z.string()),
  }),
  /** for its player: the coach has closed the account and reads nothing meanwhile (PRIVACY-2) */
  isCoachClosed: z.optional(z.boolean()),
  /** and that account, erased since, is never opened again */
  isCoachErased: z.optional(z.boolean()),
})
export type CoachReport = z.output<typeof coachReport>

const playerAndAssessment = { playerEmail: email('EmailInvalid'), assessmentId: z.string().check(z.maxLength(100)) }

export const instancesForCoach = {
  /** The instances this coach allocated and did not reclaim, oldest first; `status` filters them, and `limit` returns one page. */
  allocated: endpoint({
    method: 'GET',
    path: 'assessment/coach/allocated',
    access: ['coach'],
    query: z.strictObject({ status: z.optional(z.enum(INSTANCE_STATUSES)), ...pageOfRows }),
    reply: z.object({ assessments: z.array(allocatedInstance) }),
    errors: [],
    tag: 'CoachAssessments',
    summary: 'Instances you have allocated to players',
  }),
  /**
   * The coach's page of a player whose assessment is completed. The player reads the same page. 404 for an instance of somebody else, one
   * that no coach allocated, or one whose player's account is closed or erased; 409 before it is completed, NO_REPORT_YET for the coach
   * and NOT_COMPLETE for the player, and after a reclaim, ALREADY_RECLAIMED for the coach and INSTANCE_RECLAIMED for the player.
   */
  coachReport: endpoint({
    method: 'GET',
    path: 'assessment/coach/allocated/{instanceId}/report',
    access: ['player', 'coach'],
    params: z.strictObject({ instanceId: z.string() }),
    reply: coachReport,
    errors: ['NOT_COMPLETE', 'NO_REPORT_YET', 'INSTANCE_RECLAIMED', 'ALREADY_RECLAIMED'],
    tag: 'AssessmentInstance',
    summary: 'Coach report on a player',
  }),
  /**
   * Allocates an assessment to a player for one token, and queues the invitation. With an `operationId` it is safe to repeat: the same
   * id with the same player and assessment returns the same instance and spends no second token; with others it is refused with
   * OPERATION_MISMATCH. Of several concurrent calls for the last token, one succeeds. If other coaches have used up the address's
   * limit of mails, the instance is allocated without an invitation (`heldUntil`).
   */
  allocate: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/allocate',
    access: ['coach'],
    body: z.strictObject({
      ...playerAndAssessment,
      operationId: z.optional(z.uuid()),
      /** the coach's name for the player, shown to this coach only, until the player's own name is */
      playerName: z.optional(requiredText('NameInvalid')),
      /** language of the invitation if the player has no account; by default the coach's */
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
    summary: 'Allocate an assessment to a player for one token',
  }),
  /**
   * Queues a reminder for a pending instance, at most REMINDERS_MAXIMUM times per instance (429 RESEND_LIMIT); mails to one address are
   * limited per week, too (429 ADDRESS_LIMIT with Retry-After). 409 INVITATION_UNWANTED if the address has opted out, 409
   * MAIL_BOUNCED if mail to it came back in the last 30 days because nobody has it. `dateSent` is a UTC instant, ISO 8601. With
   * `seenDateSent`, the one that the coach was shown, it is safe to repeat: if it was sent since, it is refused with 409 ALREADY_RESENT.
   */
  resend: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/resend',
    access: ['coach'],
    body: z.strictObject({ ...playerAndAssessment, seenDateSent: z.optional(z.iso.datetime()) }),
    reply: z.object({ dateSent: z.string() }),
    errors: [
      'INVALID_EMAIL',
      'ALREADY_COMPLETED',
      'ALREADY_RESENT',
      'RESEND_LIMIT',
      'ADDRESS_LIMIT',
      'INVITATION_UNWANTED',
      'MAIL_BOUNCED',
    ],
    changes: ['Token'],
    isRepliedOnce: true,
    summary: 'Resend an invitation',
  }),
  /**
   * Reclaims an instance and its token, both or neither, unless it is completed. `seenStatus` is the status the coach was shown: if the
   * player has begun since, nothing happens and the call is refused with PLAYER_HAS_BEGUN (ASSIGN-20).
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
    isRepliedOnce: true,
    summary: 'Reclaim an assessment from a player, with its token',
  }),
  /**
   * Reclaims the instance at a wrong address and allocates one to the right address for the same token, both or neither, with the same
   * name, notes and language. Refused with PLAYER_HAS_BEGUN once somebody has opened it. `operationId` as in `allocate`. Nothing is
   * mailed to the wrong address.
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
    summary: 'Correct the email address of an allocated assessment',
  }),
  /** Stores a coach's notes on an instance they allocated; fields that are not in the body stay as they are. 403 for its player. */
  update: endpoint({ ...updating, method: 'PATCH', summary: 'Update team, position or player type of an instance' }),
  /** The same as `update`: here, too, fields that are not in the body stay as they are. */
  replace: endpoint({ ...updating, method: 'PUT', summary: 'Update team, position or player type of an instance (same as PATCH)' }),
}
