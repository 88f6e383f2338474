import { PLAYER_TYPE_DEFAULT } from '#contract/constants.ts'
import type { Instance, InstanceSummary, Results } from '#contract/instances.ts'
import { countItems, itemIdsOf } from '#contract/rules/questionnaire.ts'
import { assessmentWords, resultNames, sectionsOf } from '#server/content/content.ts'
import type { Language } from '../http/handle.ts'
import type { AnswerGroup, InstanceRow } from './store.ts'

/** What leaves the server of an instance: names and results in the caller's language, never a scoring key. */
export function presentSummary(row: InstanceRow, language: Language): InstanceSummary {
  const { instance, user, coach, assessment } = row
  const words = assessmentWords(instance.assessmentId, language)
  return {
    instanceId: instance.id,
    assessmentId: instance.assessmentId,
    contentVersion: instance.contentVersion,
    userId: instance.userId,
    userName: user?.firstName ?? null,
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
    videoUrls: assessment.videoUrls,
    results: presentResults(instance, language),
    SampleReportFilename: assessment.sampleReportFilename,
    answeredCount: row.answeredCount,
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

/** With its sections; the answers are the player's alone, a coach hands in none (ruling 29). */
export function presentInstance(row: InstanceRow, groups: readonly AnswerGroup[], language: Language): Instance {
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
    ...presentSummary(row, language),
    sections,
    responses,
    groups: groups.map(({ questionId, revision }) => ({ questionId, revision })),
    revision: row.instance.revision,
  }
}

function presentResults({ results, contentVersion }: InstanceRow['instance'], language: Language): Results | null {
  if (!results) return null
  const { Section1, section2 } = results
  const names = resultNames(contentVersion, { lsi: Section1.value, mbti: section2.value }, language)
  return { ...results, Section1: { ...Section1, result: names.section1Result }, section2: { ...section2, label: names.section2Label } }
}
