import { PLAYER_TYPE_DEFAULT } from '#contract/constants.ts'
import type { AllocatedInstance } from '#contract/coach.ts'
import type { Instance, InstanceSummary, Results } from '#contract/instances.ts'
import { countItems, itemIdsOf } from '#contract/rules/questionnaire.ts'
import { resultNames, sectionsOf } from '#server/content/content.ts'
import { presentSample, presentWords } from '../assessments/present.ts'
import type { Language } from '../http/handle.ts'
import { wordsOf } from '../http/words.ts'
import type { AllocatedRow, AnswerGroup, InstanceRow } from './store.ts'

/**
 * What leaves the server of an instance: names and results in the caller's language, never a scoring key; and what its
 * agreement items say to its player alone, like the answers (ruling 29).
 */
export function presentSummary(row: InstanceRow, language: Language, isOwn: boolean): InstanceSummary {
  return {
    ...presentHeld(row, language),
    contentVersion: row.instance.contentVersion,
    videoUrls: row.assessment.videoUrls,
    results: presentResults(row.instance, language, isOwn),
    answeredCount: row.answeredCount,
  }
}

/** What the coach who gave it sees: how far it is and the type, nothing of the answers (ruling 29). */
export function presentAllocated(row: AllocatedRow, language: Language): AllocatedInstance {
  const { user, instance } = row
  const held = presentHeld(row, language)
  return {
    ...held,
    invitation: instance.invitation,
    hasProfilePicture: user !== null && user.hasProfilePicture && !user.deactivatedAt,
    results: presentType(instance.contentVersion, row.type, language),
    answeredCount: instance.status === 'COMPLETED' ? held.itemCount : row.answeredCount,
  }
}

/** What both say: who holds it, from whom, of which assessment. */
function presentHeld({ instance, user, coach, assessment }: InstanceRow | AllocatedRow, language: Language) {
  const offer = { id: instance.assessmentId, ...assessment }
  const words = presentWords(offer, language)
  return {
    instanceId: instance.id,
    assessmentId: instance.assessmentId,
    userId: instance.userId,
    // nobody's, and no address waits for anybody: its player's account was erased
    userName: user === null && instance.email === '' ? (wordsOf(language).server['DeletedPlayer'] ?? null) : (user?.firstName ?? null),
    userLastname: user?.lastName ?? null,
    userEmail: instance.email,
    userSportId: user?.sport?.id ?? null,
    userSportName: user?.sport?.name ?? null,
    userPositionId: user?.preferredPosition?.id ?? null,
    // what the coach wrote on the row comes before the profile (§4 Token statuses)
    userPositionName: instance.userPositionName ?? user?.preferredPosition?.name ?? null,
    userTeam: instance.userTeam ?? user?.teams[0]?.teamName ?? null,
    userPlayerType: instance.userPlayerType ?? PLAYER_TYPE_DEFAULT,
    status: instance.status,
    completedDate: instance.completedAt?.toISOString() ?? null,
    allocatedAt: instance.allocatedAt?.toISOString() ?? null,
    name: words.name,
    coachFirstName: coach?.firstName ?? null,
    coachLastName: coach?.lastName ?? null,
    estimatedTimeMinutes: words.estimatedTimeMinutes,
    SampleReportFilename: presentSample(offer, language),
    itemCount: itemCountOf(instance.contentVersion),
  }
}

const itemCounts = new Map<string, number>()

// a version never changes (ruling 17), and a coach's list asks for it thousands of times
function itemCountOf(contentVersion: string): number {
  const count = itemCounts.get(contentVersion) ?? countItems(sectionsOf(contentVersion, 'en'))
  itemCounts.set(contentVersion, count)
  return count
}

/** With its sections, and the answers given: those are the player's alone, for a coach there are none (ruling 29). */
export function presentInstance(row: InstanceRow, groups: readonly AnswerGroup[], language: Language, isOwn: boolean): Instance {
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
    ...presentSummary(row, language, isOwn),
    sections,
    responses,
    groups: groups.map(({ questionId, revision }) => ({ questionId, revision })),
    revision: row.instance.revision,
  }
}

function presentResults({ results, contentVersion }: InstanceRow['instance'], language: Language, isOwn: boolean): Results | null {
  if (!results) return null
  const { Section1, section2 } = results
  const names = resultNames(contentVersion, { lsi: Section1.value, mbti: section2.value }, language)
  return {
    ...results,
    Section1: { ...Section1, result: names.section1Result },
    section2: { ...section2, label: names.section2Label },
    section3: { facets: isOwn ? results.section3.facets : [] },
  }
}

function presentType(contentVersion: string, { lsi, mbti }: AllocatedRow['type'], language: Language): AllocatedInstance['results'] {
  if (lsi === null || mbti === null) return null
  const names = resultNames(contentVersion, { lsi, mbti }, language)
  return { Section1: { value: lsi, result: names.section1Result }, section2: { value: mbti, label: names.section2Label } }
}
