import { PLAYER_TYPE_DEFAULT } from '#contract/constants.ts'
import type { AllocatedInstance, CoachReport, ClearResult } from '#contract/instances.coach.ts'
import type { Instance, InstanceSummary, Results, ResultType } from '#contract/instances.ts'
import { countItems, itemIdsOf } from '#contract/rules/questionnaire.ts'
import { hashOfGroups } from '#contract/rules/receipt.ts'
import { inFixedOrder } from '#contract/rules/result-line.ts'
import type { Bounce } from '#contract/bounces.ts'
import type { BounceReason, InvitationState } from '#contract/rules/statuses.ts'
import { adviceOn } from '../content/advice.ts'
import { resultNames, sectionsOf, styleWords } from '../content/content.ts'
import { offerSampleReport, offerWords } from '../content/offer.ts'
import type { Language } from '#contract/languages.ts'
import { wordsOf } from '../words/words.ts'
import { isPlayerShown, type AllocatedRow, type AnswerGroup, type InstanceRow } from './store.ts'
import { fittingStyles, clearLetter, type StoredResults } from './clear-results.ts'

/**
 * The parts of an instance that leave the server: names and results in the caller's language, never a scoring key. Except in a player's own
 * results, their keys are in the order of the contract, so that a reply passes as exact (http/exact.ts).
 */

/** Its player, the coach who allocated it, or the operator. */
type Reader = 'player' | 'coach' | 'operator'

export function presentSummary(row: InstanceRow, language: Language, reader: Reader): InstanceSummary {
  const { instance } = row
  const isOwn = reader === 'player'
  return {
    ...presentCommon(row, language, reader),
    ...(isOwn ? coachAccount(row) : {}),
    contentVersion: instance.contentVersion,
    videoUrls: row.assessment.videoUrls,
    results: resultsFor(reader, instance, language),
    answeredCount: isOwn || (reader === 'coach' && isPlayerShown(instance)) ? row.answeredCount : 0,
    revision: isOwn ? instance.revision : 0,
  }
}

/** All of it for its player, its type for the coach, nothing for the operator. */
function resultsFor(reader: Reader, instance: InstanceRow['instance'], language: Language): InstanceSummary['results'] {
  const { contentVersion, results } = instance
  if (reader === 'operator') return null
  if (reader === 'coach') return presentResultType(contentVersion, results, language)
  return results && presentResults(contentVersion, results, language)
}

/** Whether the coach who allocated it has closed the account, and so reads nothing of it, and whether that was erased since, so that it stays so. */
export function coachAccount({ coach }: Pick<InstanceRow, 'coach'>): { isCoachClosed?: true; isCoachErased?: true } {
  if (!coach?.deactivatedAt) return {}
  return coach.erasedAt ? { isCoachClosed: true, isCoachErased: true } : { isCoachClosed: true }
}

/** What its coach sees in the team table: status, progress and the result's type, no answers (PRIVACY-1, PRIVACY-2). */
export function presentAllocated(row: AllocatedRow, language: Language): AllocatedInstance {
  const { user, instance } = row
  const common = presentCommon(row, language, 'coach')
  return {
    ...common,
    answeredCount: instance.status === 'COMPLETED' ? common.itemCount : row.answeredCount,
    invitation: instance.invitation,
    heldUntil: presentHeldUntil(instance.invitation, instance.heldUntil),
    bounced: presentBounce(instance.bouncedAt, instance.bouncedWhy),
    hasProfilePicture: isPlayerShown(instance) && user !== null && user.hasProfilePicture && !user.deactivatedAt,
    results: presentResultType(instance.contentVersion, row.result, language),
  }
}

/** When the invitation may be sent, if it was held because its address had reached the limit; else null. */
export function presentHeldUntil(invitation: InvitationState | null, heldUntil: Date | null): string | null {
  return invitation === 'given-up' ? (heldUntil?.toISOString() ?? null) : null
}

/** null: no mail to its address came back. */
export function presentBounce(at: Date | null, why: BounceReason | null): Bounce | null {
  return at && why ? { at: at.toISOString(), why } : null
}

/** Common to all: status, coach, assessment, and as much of the player as this reader may see. */
function presentCommon(row: InstanceRow | AllocatedRow, language: Language, reader: Reader) {
  const { instance, coach, assessment } = row
  const offer = { id: instance.assessmentId, ...assessment }
  const words = offerWords(offer, language)
  const person = presentPerson(row, language, reader)
  return {
    instanceId: instance.id,
    assessmentId: instance.assessmentId,
    ...person,
    // the coach's notes on the row take precedence over the profile (TEAM-9)
    userPositionName: instance.userPositionName ?? person.userPositionName,
    userTeam: instance.userTeam ?? person.userTeam,
    userEmail: instance.email,
    userPlayerType: instance.userPlayerType ?? PLAYER_TYPE_DEFAULT,
    status: instance.status,
    completedDate: instance.completedAt?.toISOString() ?? null,
    allocatedAt: instance.allocatedAt?.toISOString() ?? null,
    name: words.name,
    coachFirstName: coach?.firstName ?? null,
    coachLastName: coach?.lastName ?? null,
    estimatedTimeMinutes: words.estimatedTimeMinutes,
    SampleReportFilename: offerSampleReport(offer, language),
    itemCount: itemCountOf(instance.contentVersion),
  }
}

const NOBODY = {
  userId: null,
  userName: null,
  userLastname: null,
  userSportId: null,
  userSportName: null,
  userPositionId: null,
  userPositionName: null,
  userTeam: null,
}

/**
 * The player. A coach learns nothing of them before the brief has been opened, not even that there is an account (PRIVACY-3), nor
 * once the instance is reclaimed or the account closed; an operator finds the account by its id or address.
 */
function presentPerson({ instance, user }: InstanceRow | AllocatedRow, language: Language, reader: Reader) {
  if (reader === 'coach') {
    // no user and no address: its player's account was erased
    if (user === null && instance.email === '') return { ...NOBODY, userName: wordsOf(language).server['DeletedPlayer'] ?? null }
    // as the coach typed it, until the player's own name is shown
    if (!isPlayerShown(instance)) return { ...NOBODY, userName: instance.playerName }
    if (user?.deactivatedAt) return { ...NOBODY, userName: wordsOf(language).server['ClosedAccount'] ?? null }
  }
  if (reader === 'operator') return { ...NOBODY, userId: instance.userId }
  const hasName = Boolean(user?.firstName || user?.lastName)
  return {
    userId: instance.userId,
    userName: hasName || reader !== 'coach' ? (user?.firstName ?? null) : instance.playerName,
    userLastname: user?.lastName ?? null,
    userSportId: user?.sport?.id ?? null,
    userSportName: user?.sport?.name ?? null,
    userPositionId: user?.preferredPosition?.id ?? null,
    userPositionName: user?.preferredPosition?.name ?? null,
    userTeam: user?.teams[0]?.teamName ?? null,
  }
}

const itemCounts = new Map<string, number>()

// a version never changes (SCORING-11), and a coach's list needs it thousands of times
function itemCountOf(contentVersion: string): number {
  const count = itemCounts.get(contentVersion) ?? countItems(sectionsOf(contentVersion, 'en'))
  itemCounts.set(contentVersion, count)
  return count
}

/** An instance with its sections; its answers only for its player (PRIVACY-1). */
export function presentInstance(
  row: InstanceRow,
  groups: readonly AnswerGroup[],
  language: Language,
  reader: Exclude<Reader, 'operator'>,
): Instance {
  const sections = sectionsOf(row.instance.contentVersion, language)
  const byQuestion = new Map(groups.map((group) => [group.questionId, group.value]))
  const responses = sections.flatMap((section) =>
    section.questions.flatMap((question) =>
      itemIdsOf(question).flatMap((id) => {
        const answer = byQuestion.get(question.id)?.[id] ?? null
        return answer === null ? [] : [{ sectionName: section.name, id, answer }]
      }),
    ),
  )
  return {
    ...presentSummary(row, language, reader),
    sections,
    responses,
    groups: groups.map(({ questionId, revision }) => ({ questionId, revision })),
    hash: reader === 'player' ? hashOfGroups(groups) : '',
  }
}

/** The full result, for its player only. */
export function presentResults(contentVersion: string, results: StoredResults, language: Language): Results {
  const { Section1, section2 } = results
  const names = resultNames(contentVersion, { lsi: Section1.value, mbti: section2.value }, language)
  return {
    ...results,
    Section1: { ...Section1, result: names.section1Result, styles: presentStyles(contentVersion, Section1, language) },
    section2: { ...section2, label: names.section2Label, axes: section2.axes.map((axis) => ({ ...axis, letter: clearLetter(axis) })) },
  }
}

type ShownResults = Pick<StoredResults, 'Section1' | 'section2'>

/** The style and the letters, and what is clear in them; no count (PRIVACY-2). */
function presentResultType(
  contentVersion: string,
  result: { [Part in 'Section1' | 'section2']: StoredResults[Part] | null } | null,
  language: Language,
): ResultType | null {
  if (!result?.Section1 || !result.section2) return null
  const { Section1, section2 } = result
  const names = resultNames(contentVersion, { lsi: Section1.value, mbti: section2.value }, language)
  const clear = presentClearResult(contentVersion, { Section1, section2 }, language)
  return {
    Section1: { value: Section1.value, result: names.section1Result, ...clear.Section1 },
    section2: { value: section2.value, label: names.section2Label, ...clear.section2 },
  }
}

/** Nothing here reveals which side is nearer where neither is clear: the styles are in a fixed order. */
function presentClearResult(contentVersion: string, { Section1, section2 }: ShownResults, language: Language): ClearResult {
  return {
    Section1: { styles: inFixedOrder(presentStyles(contentVersion, Section1, language)) },
    section2: {
      axes: section2.axes.map((axis) => ({ axis: axis.axis, first: axis.first, second: axis.second, letter: clearLetter(axis) })),
    },
  }
}

/** The coach's page: what is clear in the result, and the advice that follows from it alone. TEAM-8 */
export function presentCoachReport(
  row: InstanceRow,
  results: StoredResults,
  language: Language,
  reader: Exclude<Reader, 'operator'>,
): CoachReport {
  const { instanceId, userName, userLastname, name, completedDate } = presentCommon(row, language, reader)
  const { contentVersion } = row.instance
  const [style, ...otherStyles] = fittingStyles(results.Section1)
  const clear = {
    style: style === undefined || otherStyles.length > 0 ? null : { key: style, name: styleWords(contentVersion, style, language).name },
    letters: results.section2.axes.map(clearLetter).filter((letter) => letter !== null),
  }
  return {
    instanceId,
    userName,
    userLastname,
    name,
    completedDate,
    results: presentClearResult(contentVersion, results, language),
    advice: adviceOn(clear, language),
    ...(reader === 'player' ? coachAccount(row) : {}),
  }
}

function presentStyles(contentVersion: string, section: StoredResults['Section1'], language: Language) {
  return fittingStyles(section).map((value) => ({ value, result: styleWords(contentVersion, value, language).name }))
}
