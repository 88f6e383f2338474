import * as z from 'zod/mini'
import { RESPONSES_MAXIMUM, REVISION_MAXIMUM } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { pageLimit, pageNumber } from './paging.ts'
import { INSTANCE_STATUSES } from './rules/statuses.ts'

/** A player's copy of an assessment: taking it, saving it, its result. DATA-2, ANSWERS-4 to ANSWERS-22 */

const option = z.object({ value: z.string(), label: z.string() })
export const section = z.object({
  name: z.string(),
  type: z.string(),
  sectionOptions: z.array(option),
  questions: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      options: z.array(option),
      subQuestions: z.array(z.object({ id: z.string(), question: z.string(), options: z.array(option) })),
    }),
  ),
})

const strength = z.enum(['slight', 'clear', 'strong'])
/** Scores of a completed instance. Section1.result is the type's name in the caller's language, section2.label the letters. RESULTS-11 */
export const results = z.object({
  scoringVersion: z.string(),
  Section1: z.object({
    value: z.string(),
    result: z.string(),
    /** sums of ratings per mode, 12–48, together 120 */
    modes: z.object({ experience: z.int(), watch: z.int(), idea: z.int(), do: z.int() }),
    /** idea − experience and do − watch, −36…36 */
    axes: z.object({ ideaExperience: z.int(), doWatch: z.int() }),
    closeCalls: z.array(z.enum(['ideaExperience', 'doWatch'])),
  }),
  section2: z.object({
    value: z.string(),
    label: z.string(),
    axes: z.array(
      z.object({
        axis: z.string(),
        first: z.string(),
        second: z.string(),
        firstCount: z.int(),
        secondCount: z.int(),
        strength,
        closeCall: z.boolean(),
      }),
    ),
  }),
  section3: z.object({ facets: z.array(z.object({ id: z.string(), mean: z.number() })) }),
})
export type Results = z.output<typeof results>

/** What a coach reads of a result: what stands, style and letters. Every figure and text is the player's (PRIVACY-2). */
export const standing = z.object({
  Section1: z.object({ value: z.string(), result: z.string() }),
  section2: z.object({ value: z.string(), label: z.string() }),
})
export type Standing = z.output<typeof standing>

/**
 * An instance as lists show it. To its player, whole. To the coach who gave it: what the coach noted, the state, and of
 * the player nothing before the brief was opened (PRIVACY-3) and only who it is and what stands afterwards (PRIVACY-2);
 * the rest is null, empty or 0. To the operator: the state and whose it is.
 */
export const instanceSummary = z.object({
  instanceId: z.string(),
  assessmentId: z.string(),
  contentVersion: z.string(),
  userId: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  userLastname: z.nullable(z.string()),
  userEmail: z.string(),
  userSportId: z.nullable(z.string()),
  userSportName: z.nullable(z.string()),
  userPositionId: z.nullable(z.string()),
  userPositionName: z.nullable(z.string()),
  userTeam: z.nullable(z.string()),
  userPlayerType: z.nullable(z.string()),
  status: z.enum(INSTANCE_STATUSES),
  /** UTC instants, ISO 8601 */
  completedDate: z.nullable(z.string()),
  allocatedAt: z.nullable(z.string()),
  name: z.string(),
  coachFirstName: z.nullable(z.string()),
  coachLastName: z.nullable(z.string()),
  estimatedTimeMinutes: z.int(),
  /** each a string or {url, thumbnail}; one that is neither is skipped, no reason to refuse the list (HOME-11) */
  videoUrls: z.array(z.unknown()),
  // strict: a whole result that does not fit is an error, never taken for what a coach reads
  results: z.nullable(z.union([results, z.strictObject(standing.shape)])),
  SampleReportFilename: z.string(),
  /** items answered on the server, of how many */
  answeredCount: z.int(),
  itemCount: z.int(),
  /** counts accepted saves; 0 to anybody but its player */
  revision: z.int(),
})
export type InstanceSummary = z.output<typeof instanceSummary>

/** The result of an own instance; null where there is none yet. */
export function ownResults({ results: given }: Pick<InstanceSummary, 'results'>): Results | null {
  return given && 'scoringVersion' in given ? given : null
}

const response = z.object({ sectionName: z.string(), id: z.string(), answer: z.nullable(z.string()) })

/**
 * One whole instance. `responses`, `groups` and `hash` are only for the player (PRIVACY-1); a coach sees them empty.
 *
 * By them a device knows a server that was put back to a backup (ANSWERS-17). Per group it compares the revision here
 * (0 where the group is missing) with that of its receipt: a lower one, or the same with another value, was put back,
 * so the receipt goes and the device's value is unsent again, based on the revision here; a higher one is a later answer,
 * and is taken, as is the same one where the device holds a mere copy of another's. `hash` tells in one comparison
 * whether there is any difference: it is hashOfGroups (contract/rules/receipt.ts) of all groups stored, and equals that
 * of a device which has everything and was acknowledged everything. A list has only the `revision`: one lower than a
 * device has seen says that it must read the instance.
 */
export const instance = z.object({
  ...instanceSummary.shape,
  sections: z.array(section),
  responses: z.array(response),
  /** the server's revision of each group that has a value */
  groups: z.array(z.object({ questionId: z.string(), revision: z.int() })),
  hash: z.string(),
})
export type Instance = z.output<typeof instance>

const answer = z.string({ error: 'AnswerInvalid' }).check(z.maxLength(100, { error: 'AnswerInvalid' }))
const uuid = z.uuid()

/**
 * The body of a save, and `operation`, which makes it safe to repeat (ANSWERS-4, ANSWERS-5): its id names one exact
 * content; `groups` holds, per question sent, the server revision its edit was based on. With an operation, the
 * items listed for a question are its whole value.
 */
export const saveBody = z.strictObject({
  instanceId: z.string(),
  responses: z
    .array(
      z.strictObject({
        sectionName: z.string().check(z.maxLength(100)),
        id: z.string().check(z.maxLength(100)),
        answer: z.nullable(answer),
      }),
    )
    .check(z.maxLength(RESPONSES_MAXIMUM, { error: 'TooManyAnswers' })),
  operation: z.optional(
    z.strictObject({
      id: uuid,
      device: uuid,
      contentVersion: z.string().check(z.maxLength(100)),
      groups: z
        .array(z.strictObject({ questionId: z.string().check(z.maxLength(100)), base: z.int().check(z.gte(0), z.lte(REVISION_MAXIMUM)) }))
        .check(z.maxLength(RESPONSES_MAXIMUM)),
    }),
  ),
})
export type SaveBody = z.output<typeof saveBody>

const group = z.object({ questionId: z.string(), revision: z.int() })

/** `count` and `hash` are the receipt of this operation's groups as stored (contract/rules/receipt.ts). */
export const saveReply = z.object({
  completionStatus: z.enum(['IN_PROGRESS', 'COMPLETED']),
  revision: z.int(),
  count: z.int(),
  hash: z.string(),
  /** the accepted groups, with their new revisions */
  groups: z.array(group),
  /** groups another device had changed unseen: its value stays (ANSWERS-11) */
  superseded: z.array(z.object({ questionId: z.string(), revision: z.int(), value: z.record(z.string(), z.nullable(z.string())) })),
})
export type SaveReply = z.output<typeof saveReply>

const instanceId = z.strictObject({ instanceId: z.string() })

export const instances = {
  list: endpoint({
    method: 'GET',
    path: 'assessment/assessment-instance',
    access: ['player', 'coach', 'operator'],
    /** `userId` of somebody else answers 403 (ROLES-10) */
    query: z.strictObject({
      userId: z.optional(z.string()),
      status: z.optional(z.enum(INSTANCE_STATUSES)),
      assessmentId: z.optional(z.string()),
      page: z.optional(pageNumber),
      /** without it, all of them */
      limit: z.optional(pageLimit),
    }),
    reply: z.object({ data: z.array(instanceSummary) }),
    errors: [],
    tag: 'AssessmentInstance',
    summary: 'Own assessment instances',
  }),
  get: endpoint({
    method: 'GET',
    path: 'assessment/assessment-instance/{instanceId}',
    access: ['player', 'coach'],
    params: instanceId,
    /** `none`: `sections` comes empty, for who has the words of this content version already */
    query: z.strictObject({ sections: z.optional(z.literal('none')) }),
    reply: instance,
    errors: [],
    tag: 'AssessmentInstance',
    summary: 'One instance with its sections, in the language asked for',
  }),
  saveResponses: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/responses',
    access: ['player'],
    body: saveBody,
    reply: saveReply,
    errors: [
      'INVALID_ANSWER',
      'DUPLICATE_RATING',
      'UNKNOWN_QUESTION',
      'ALREADY_COMPLETED',
      'INSTANCE_RECLAIMED',
      'OPERATION_MISMATCH',
      'CONTENT_VERSION_MISMATCH',
    ],
    summary: 'Save answers; repeating an operation is harmless',
  }),
  /**
   * Told when the brief has shown its player who sees what: from then on the coach who gave the instance sees whose it
   * is (BRIEF-6). Saving or completing says it as well. Repeating it changes nothing.
   */
  briefOpened: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/brief-opened',
    access: ['player'],
    params: instanceId,
    reply: z.undefined(),
    status: 204,
    errors: [],
    summary: 'The player has read who sees what',
  }),
  /** Completes and scores; repeating it answers the same. */
  complete: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/complete',
    access: ['player'],
    params: instanceId,
    reply: instanceSummary,
    errors: ['NOT_COMPLETE', 'INSTANCE_RECLAIMED'],
    changes: ['AssessmentInstance'],
    summary: 'Complete an instance that has every answer',
  }),
  calculateResults: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/calculate-results',
    access: ['player'],
    params: instanceId,
    reply: instanceSummary,
    errors: ['NOT_COMPLETE'],
    summary: 'The results of a completed instance; harmless to repeat',
  }),
}
