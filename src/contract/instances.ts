import * as z from 'zod/mini'
import { RESPONSES_MAXIMUM, REVISION_MAXIMUM } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { pageLimit, pageNumber } from './paging.ts'
import { INSTANCE_STATUSES } from './rules/statuses.ts'
import { letterOf, stylesOf } from './rules/clear-results.ts'
import { isWholePdf } from './rules/whole-pdf.ts'

/** Instances, each one assessment for one player: reading, answering and completing them. DATA-2, ANSWERS-4 to ANSWERS-22 */

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
/** A learning style: its key, and its name in the caller's language. */
const style = z.object({ value: z.string(), result: z.string() })

/**
 * Scores of a completed instance. `Section1.value` and `result` are the nearest learning style, `section2.value` and `label` the nearest
 * letters (RESULTS-11); what is clear in them is in `styles` and in each axis's `letter` (SCORING-8).
 */
export const results = z.object({
  scoringVersion: z.string(),
  Section1: z.object({
    ...style.shape,
    /** the styles it fits, the nearest first: one if it is clear, else the two or four it lies between */
    styles: z.array(style),
    /** sum of ratings per mode, 12–48 each, 120 together */
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
        /** 6 to 5 */
        closeCall: z.boolean(),
        /** the clear letter; null between the two */
        letter: z.nullable(z.string()),
      }),
    ),
  }),
  /** mean agreement per facet, 1–5 */
  section3: z.object({ facets: z.array(z.object({ id: z.string(), mean: z.number() })) }),
  /** why the answers may not have been given with care (rules/answer-doubts.ts); missing in results from before this was checked */
  doubts: z.optional(z.array(z.string())),
})
export type Results = z.output<typeof results>

/** What is clear in a result: the styles that it fits, and per axis the letter. */
export const clearStyles = z.array(style)
export const clearLetters = z.array(z.object({ axis: z.string(), first: z.string(), second: z.string(), letter: z.nullable(z.string()) }))

/**
 * What a coach sees of a result: the learning style and the type's letters, and what is clear in them. All figures and texts are for the
 * player only (PRIVACY-2).
 */
export const resultType = z.object({
  // rows that an older app stored have no `styles` and no `axes`
  Section1: z.object({ ...style.shape, styles: z.optional(clearStyles) }),
  section2: z.object({
    value: z.string(),
    label: z.string(),
    axes: z.optional(clearLetters),
  }),
})
export type ResultType = z.output<typeof resultType>

/**
 * An instance in a list. Its player gets all fields. The coach who allocated it gets the coach's own notes and the status; from the
 * moment the brief was opened also who the player is (PRIVACY-3), and of the result the type only (PRIVACY-2). The operator gets the
 * status and whose it is. All other fields are null, empty or 0.
 */
export const instanceSummary = z.object({
  instanceId: z.string(),
  assessmentId: z.string(),
  userId: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  userLastname: z.nullable(z.string()),
  userSportId: z.nullable(z.string()),
  userSportName: z.nullable(z.string()),
  userPositionId: z.nullable(z.string()),
  userPositionName: z.nullable(z.string()),
  userTeam: z.nullable(z.string()),
  userEmail: z.string(),
  userPlayerType: z.nullable(z.string()),
  status: z.enum(INSTANCE_STATUSES),
  /** UTC instants, ISO 8601 */
  completedDate: z.nullable(z.string()),
  allocatedAt: z.nullable(z.string()),
  name: z.string(),
  coachFirstName: z.nullable(z.string()),
  coachLastName: z.nullable(z.string()),
  estimatedTimeMinutes: z.int(),
  SampleReportFilename: z.string(),
  itemCount: z.int(),
  /** for its player: the coach has closed the account and reads nothing meanwhile (PRIVACY-2); older apps stored lists without it */
  isCoachClosed: z.optional(z.boolean()),
  /** and that account, erased since, is never opened again */
  isCoachErased: z.optional(z.boolean()),
  contentVersion: z.string(),
  /** each a string or {url, thumbnail}; the portal skips anything else instead of rejecting the list (HOME-11) */
  videoUrls: z.array(z.unknown()),
  // strict: an invalid full result must be an error, and not pass as the shorter one
  results: z.nullable(z.union([results, z.strictObject(resultType.shape)])),
  /** items with an answer on the server */
  answeredCount: z.int(),
  /** number of accepted saves; 0 for anybody but its player */
  revision: z.int(),
})
export type InstanceSummary = z.output<typeof instanceSummary>

/** The full result of one of the caller's own instances; null if there is none yet. */
export function ownResults({ results: given }: Pick<InstanceSummary, 'results'>): Results | null {
  return given && 'scoringVersion' in given ? withWhatIsClear(given) : null
}

/** Adds what is clear to a result that an older app stored on the device. It lacks the other styles' names: they are ''. */
function withWhatIsClear(given: Results): Results {
  const { Section1, section2 } = given as OlderResults
  const styles = stylesOf(Section1.value, Section1.axes).map((value) => ({
    value,
    result: value === Section1.value ? Section1.result : '',
  }))
  return {
    ...given,
    Section1: { styles, ...Section1 },
    section2: { ...section2, axes: section2.axes.map((axis) => ({ letter: letterOf(axis), ...axis })) },
  }
}

/** As scored before it said what is clear. */
type OlderResults = Omit<Results, 'Section1' | 'section2'> & {
  Section1: Omit<Results['Section1'], 'styles'>
  section2: Omit<Results['section2'], 'axes'> & { axes: Omit<Results['section2']['axes'][number], 'letter'>[] }
}

const response = z.object({ sectionName: z.string(), id: z.string(), answer: z.nullable(z.string()) })
const group = z.object({ questionId: z.string(), revision: z.int() })

/**
 * One instance with its questions and answers. `responses`, `groups` and `hash` are for its player only (PRIVACY-1); for a coach they
 * are empty.
 *
 * With them a device detects that the server was restored from a backup (ANSWERS-17). It compares each group's revision here (0 if the
 * group is missing) with the one in its receipt:
 * - lower, or equal with another value: the server lost it. The device removes the receipt, so its value counts as unsent again, based
 *   on the revision here.
 * - higher: a later answer, which the device takes over. It does the same at an equal revision if its own value is only a copy of
 *   another device's.
 * `hash` replaces all these comparisons if nothing differs: it is `hashOfGroups` (contract/rules/receipt.ts) of all stored groups. A list
 * has only the `revision`: if that is lower than one the device has seen, it must read the instance.
 */
export const instance = z.object({
  ...instanceSummary.shape,
  sections: z.array(section),
  responses: z.array(response),
  /** the server's revision of each group that has been saved */
  groups: z.array(group),
  hash: z.string(),
  /** seals answers files of this instance: the server's name, a dot, and the key (decision 0047); only for its player */
  fileSeal: z.optional(z.string()),
})
export type Instance = z.output<typeof instance>

const answer = z.string({ error: 'AnswerInvalid' }).check(z.maxLength(100, { error: 'AnswerInvalid' }))
const uuid = z.uuid()

/**
 * The body of a save (ANSWERS-4, ANSWERS-5). `operation` makes it safe to repeat: its id identifies exactly this content. Its `groups`
 * have, for each question sent, the server revision that the edit was based on. With an operation, the items sent for a question
 * replace its whole value; without, items that are not sent stay as they are.
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
        .array(
          z.strictObject({
            questionId: z.string().check(z.maxLength(100)),
            base: z.int().check(z.gte(0), z.lte(REVISION_MAXIMUM)),
            order: z.optional(z.int().check(z.gte(0))),
          }),
        )
        .check(z.maxLength(RESPONSES_MAXIMUM)),
    }),
  ),
})
export type SaveBody = z.output<typeof saveBody>

/** `count` and `hash` are the receipt of the operation's groups as stored (contract/rules/receipt.ts). */
export const saveReply = z.object({
  completionStatus: z.enum(['IN_PROGRESS', 'COMPLETED']),
  revision: z.int(),
  count: z.int(),
  hash: z.string(),
  /** the accepted groups, with their new revisions */
  groups: z.array(group),
  /** groups that another device had changed without the sender having seen it: that device's value is current (ANSWERS-11) */
  superseded: z.array(
    z.object({
      questionId: z.string(),
      revision: z.int(),
      value: z.record(z.string(), z.nullable(z.string())),
      /** the current value is a later edit of the sender itself, by its `order`: nothing to tell its owner */
      isOwn: z.optional(z.boolean()),
    }),
  ),
})
export type SaveReply = z.output<typeof saveReply>

const instanceId = z.strictObject({ instanceId: z.string() })

export const instances = {
  /**
   * A player's own instances, those a coach allocated, or for the operator all or one user's; oldest first. Reclaimed ones are listed
   * only with `status: RECLAIMED`.
   */
  list: endpoint({
    method: 'GET',
    path: 'assessment/assessment-instance',
    access: ['player', 'coach', 'operator'],
    /** for a player or coach, anybody else's `userId` is refused with 403 (ROLES-10) */
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
    summary: 'Assessment instances you may see',
  }),
  /** One instance of this player, or one this coach allocated; 404 for anybody else's. */
  get: endpoint({
    method: 'GET',
    path: 'assessment/assessment-instance/{instanceId}',
    access: ['player', 'coach'],
    params: instanceId,
    /** `none`: leaves `sections` empty, for a device that has the questions of this content version already */
    query: z.strictObject({ sections: z.optional(z.literal('none')) }),
    reply: instance,
    errors: [],
    tag: 'AssessmentInstance',
    summary: 'One instance with its sections, in the requested language',
  }),
  /**
   * Saves answers: all or none. Repeating an operation returns the first reply. 404 if the instance is not the caller's,
   * 409 OPERATION_MISMATCH if the operation's id was used for other content, CONTENT_VERSION_MISMATCH for another content version,
   * ALREADY_COMPLETED or INSTANCE_RECLAIMED if it accepts no more answers; 429 with Retry-After if too many saves are waiting.
   */
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
    summary: 'Save answers (idempotent)',
  }),
  /**
   * Reports that the brief has shown the player who sees what. From then on the coach who allocated the instance sees whose it is
   * (BRIEF-6), as they also do once the player has saved or completed it. Idempotent.
   */
  briefOpened: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/brief-opened',
    access: ['player'],
    params: instanceId,
    reply: z.undefined(),
    status: 204,
    errors: [],
    summary: 'Record that the player has opened the brief',
  }),
  /** Completes and scores an instance. Idempotent. 409 NOT_COMPLETE while an item has no answer. */
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
  /** The results of a completed instance, which `complete` has calculated. 409 NOT_COMPLETE before that, INSTANCE_RECLAIMED after a reclaim. */
  calculateResults: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/{instanceId}/calculate-results',
    access: ['player'],
    params: instanceId,
    reply: instanceSummary,
    errors: ['NOT_COMPLETE', 'INSTANCE_RECLAIMED'],
    summary: 'Results of a completed instance (idempotent)',
  }),
  /**
   * The player's own report of a completed instance, as a PDF in the caller's language: for its player alone (RESULTS-16). 409
   * NOT_COMPLETE before there is a result, INSTANCE_RECLAIMED after a reclaim; 429 with Retry-After after 20 in an hour.
   */
  report: endpoint({
    method: 'GET',
    path: 'assessment/assessment-instance/{instanceId}/report.pdf',
    access: ['player'],
    params: instanceId,
    /** the reader's, by its IANA name; without it, or with one that this server does not know, the report is dated by UTC */
    query: z.strictObject({ timeZone: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_+:/-]{1,64}$/))) }),
    reply: z.instanceof(Uint8Array).check(z.refine(isWholePdf)),
    file: { type: 'application/pdf', name: 'touchline-report.pdf' },
    errors: ['NOT_COMPLETE', 'INSTANCE_RECLAIMED'],
    summary: 'Your report on a completed instance, as a PDF',
  }),
}
