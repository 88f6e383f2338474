import type { AllFigures, Scenario } from './figures.ts'
import { PAIRS_EACH } from './result.ts'

/** The tables of docs/instrument.md, as oxfmt formats them. */
export function tablesOf({ people, scenarios, change, straightLines, unread }: AllFigures): string {
  const { low, assumed, swing, good, best, coin } = scenarios
  const rows = [low, assumed, swing, good, best]
  const { labels } = assumed.figures
  return [
    titled(
      `The nearest letters of ${people.toLocaleString('en')} people at two sittings`,
      ['Mean r', 'KR-20', 'retest r', 'letter same', 'all four same', 'three of four', 'on the true side', 'same style and letters'],
      rows.map((row) => [
        nameOf(row),
        two(kr20(row.correlation, PAIRS_EACH)),
        two(row.figures.letters.retest),
        percent(row.figures.letters.same),
        percent(row.figures.letters.fourSame),
        percent(row.figures.letters.threeSame),
        percent(row.figures.letters.trueSide),
        percent(row.figures.sameText),
      ]),
    ),
    titled(
      'What is clear: letters, from 8 of 11',
      ['Mean r', 'letters each', 'people with none', 'with all four', 'clear again', 'then between', 'then opposite', 'on the true side'],
      rows.map((row) => [
        nameOf(row),
        row.figures.letters.clearMean.toFixed(1),
        percent(row.figures.letters.clear.none),
        percent(row.figures.letters.clear.four),
        percent(row.figures.letters.clearAgain),
        percent(row.figures.letters.clearThenBetween),
        percent(row.figures.letters.clearThenOpposite),
        percent(row.figures.letters.clearTrueSide),
      ]),
    ),
    titled(
      'People with at least one letter turned round at the second sitting',
      ['Mean r', 'if all letters are shown', 'if only clear ones are shown'],
      rows.map((row) => [nameOf(row), percent(row.figures.letters.anyTurned), percent(row.figures.letters.contradicted)]),
    ),
    titled(
      'Learning styles',
      [
        'Mean r',
        'nearest same',
        'a style is clear',
        'between two',
        'between four',
        'clear again',
        'on the true side',
        'people told another style',
      ],
      rows.map((row) => [
        nameOf(row),
        percent(row.figures.style.same),
        percent(row.figures.style.clear),
        percent(row.figures.style.ofTwo),
        percent(row.figures.style.ofFour),
        percent(row.figures.style.clearAgain),
        percent(row.figures.style.clearTrueSide),
        percent(row.figures.style.contradicted),
      ]),
    ),
    titled(
      `Strength of a preference, at a mean r of ${two(assumed.correlation)}`,
      ['Label', 'share of axes', 'same letter again', 'on the true side', 'share by coin'],
      labels.map(({ label, share, sameAgain, trueSide }, at) => [
        label,
        percent(share),
        percent(sameAgain),
        percent(trueSide),
        percent(coin.figures.labels[at]?.share),
      ]),
    ),
    titled(
      'Scales: retest r and standard error of measurement',
      ['Mean r', 'letters r', 'SEM, choices', 'style axis r', 'SEM, points', 'facet r', 'SEM, of 1–5'],
      rows.map((row) => [
        nameOf(row),
        two(row.figures.letters.retest),
        two(row.figures.letters.sem),
        two(row.figures.style.retest),
        two(row.figures.style.sem),
        two(row.figures.facets.retest),
        two(row.figures.facets.sem),
      ]),
    ),
    titled(
      'Sentences on the five facets',
      ['Mean r', 'facets with a sentence', 'again the same', 'then the opposite'],
      rows.map((row) => [
        nameOf(row),
        percent(row.figures.facets.said),
        percent(row.figures.facets.saidAgain),
        percent(row.figures.facets.contradicted),
      ]),
    ),
    titled(
      `Unchanged people told of a change, by a band of ${change.choices} choices and ${change.points} points (${two(change.multiple)} standard errors)`,
      ['Mean r', 'by these bands', 'by 1.96 standard errors on each axis'],
      rows.map((row) => [nameOf(row), percent(row.toldChanged, 1), percent(row.toldChangedAt196, 1)]),
    ),
    titled(
      'Tossing a coin',
      ['What', 'share of people'],
      [
        ['at least one letter is clear', percent(coin.figures.letters.anyClear)],
        ['two letters or more are clear', percent(twoOrMore(coin))],
        ['a style is clear', percent(coin.figures.style.clear)],
        ['a letter is clear, and its opposite the next time', percent(coin.figures.letters.contradicted)],
      ],
    ),
    titled(
      'Not reading',
      ['Answer sheet', 'nearest', 'what is clear', 'noticed before Submit'],
      straightLines.map((line) => [line.sheet, line.nearest, line.clear, line.noticed]),
    ),
    titled(
      'Noticed as not having read, by their answers alone',
      ['Who', 'share of people'],
      [
        [`people who read, at a mean r of ${two(assumed.correlation)}`, percent(unread.assumed, 2)],
        [`people who read, at a mean r of ${two(best.correlation)}`, percent(unread.best, 2)],
        ['people who toss a coin', percent(unread.coin, 2)],
      ],
    ),
  ].join('\n\n')
}

function nameOf({ correlation, swing }: Scenario): string {
  return swing === 0 ? two(correlation) : `${two(correlation)}, swing ${swing}`
}

/** Spearman–Brown: the reliability of a sum, from the mean correlation of its questions. */
function kr20(correlation: number, questions: number): number {
  return (questions * correlation) / (1 + (questions - 1) * correlation)
}

function titled(title: string, head: string[], rows: string[][]): string {
  const widths = head.map((cell, at) => Math.max(cell.length, 3, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [`**${title}**`, '', line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function percent(share = 0, decimals = 0): string {
  return `${(100 * share).toFixed(decimals)} %`
}

function two(value: number): string {
  return value.toFixed(2)
}

function twoOrMore({ figures }: Scenario): number {
  const { two, three, four } = figures.letters.clear
  return two + three + four
}
