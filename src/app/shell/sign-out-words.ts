import type { Translation } from '#app/i18n/use-translation.ts'
import type { InPages, WaitingCounts } from '#app/session/private-store.ts'

interface LeavingWords {
  title: string
  lines: string[]
  /** label of the choice that discards nothing */
  keep: string
  /** title of the confirmation before anything is discarded; undefined if nothing would be lost */
  discard: string | undefined
  /** what else the confirmation names, as it is discarded too */
  alsoDiscarded: string[]
}

/** The device could not be read: what it has is unknown. */
export interface Unread {
  inPages: InPages
}

/** What the dialog says about unsent data: the most serious kind is its title, the others are listed below. */
export function leavingWords(found: WaitingCounts | Unread, t: Translation['t']): LeavingWords {
  if ('inPages' in found) return unreadWords(found.inPages, t)
  const { answers, unwritten, submits, late, marks, unwrittenMarks, hasDraft, isDeleted } = found
  const parts = [
    answers > 0 && [t('leaving:UnsentTitle', { count: answers }), t('leaving:UnsentText'), ''],
    submits > 0 && [
      t('leaving:UnsentSubmitTitle', { count: submits }),
      t('leaving:UnsentSubmitText'),
      t('leaving:UnsentSubmitToo', { count: submits }),
    ],
    late > 0 && [t('leaving:LateTitle', { count: late }), t('leaving:LateText'), t('leaving:LateToo', { count: late })],
    marks > 0 && [t('leaving:MarksTitle', { count: marks }), t('leaving:UnsentText'), t('leaving:MarksToo', { count: marks })],
    unwrittenMarks > 0 && [
      t('leaving:MarksTitle', { count: unwrittenMarks }),
      '',
      t('leaving:UnwrittenMarksToo', { count: unwrittenMarks }),
    ],
    hasDraft && [t('leaving:DraftTitle'), t('leaving:DraftText'), t('leaving:DraftToo')],
  ].filter((part) => part !== false)
  if (parts.length === 0)
    return {
      title: t('leaving:DeletedTitle'),
      lines: [t('leaving:DeletedText')],
      keep: t('leaving:SignOut'),
      discard: undefined,
      alsoDiscarded: [],
    }
  const [[title = '', text = ''] = [], ...others] = parts
  const unwrittenToo = unwritten > 0 ? [t('leaving:UnwrittenToo', { count: unwritten })] : []
  // no answer is stored on this device, so none can stay here after sign-out
  const isOnlyInPage = unwritten > 0 && unwritten === answers
  return {
    title,
    lines: [
      ...(isOnlyInPage ? [] : [text]),
      ...unwrittenToo,
      ...others.map(([, , too = '']) => too),
      ...(isDeleted ? [t('leaving:DeletedText')] : []),
    ],
    keep: t(isOnlyInPage && others.length === 0 ? 'leaving:KeepInPage' : 'leaving:KeepAndSignOut'),
    discard: discardTitle(found, t),
    alsoDiscarded: alsoDiscarded(found, t),
  }
}

function unreadWords({ answers, marks }: InPages, t: Translation['t']): LeavingWords {
  return {
    title: answers > 0 ? t('leaving:UnsentTitle', { count: answers }) : t('leaving:UnknownTitle'),
    lines: [
      ...(answers > 0 ? [t('leaving:UnwrittenToo', { count: answers })] : []),
      ...(marks > 0 ? [t('leaving:UnwrittenMarksToo', { count: marks })] : []),
      t('leaving:UnknownText'),
    ],
    keep: t(answers > 0 ? 'leaving:KeepInPage' : 'leaving:KeepAndSignOut'),
    discard: answers > 0 ? t('leaving:DiscardTitle', { count: answers }) : t('leaving:DiscardUnknownTitle'),
    alsoDiscarded: answers > 0 ? [t('leaving:UnknownToo')] : [],
  }
}

/** undefined if nothing would be lost */
function discardTitle({ answers, late, marks, hasDraft }: WaitingCounts, t: Translation['t']): string | undefined {
  const lost = answers + late
  if (lost > 0) return t('leaving:DiscardTitle', { count: lost })
  if (marks > 0) return t('leaving:DiscardMarksTitle', { count: marks })
  return hasDraft ? t('leaving:DiscardDraftTitle') : undefined
}

/** What the title of the confirmation does not name. */
function alsoDiscarded({ answers, late, submits, marks, hasDraft }: WaitingCounts, t: Translation['t']): string[] {
  const isOfAnswers = answers + late > 0
  const isLost = isOfAnswers || marks > 0 || hasDraft
  return [
    isLost && submits > 0 && t('leaving:UnsentSubmitToo', { count: submits }),
    isOfAnswers && marks > 0 && t('leaving:MarksToo', { count: marks }),
    hasDraft && (isOfAnswers || marks > 0) && t('leaving:DraftToo'),
  ].filter((line) => line !== false)
}
