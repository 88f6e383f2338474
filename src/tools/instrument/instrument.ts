import { readFileSync, writeFileSync } from 'node:fs'
import { LETTER_CHANGE_ERROR, STYLE_CHANGE_ERROR } from '#contract/rules/what-changed.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { wrongClaims } from './claims.ts'
import { differencesOf, figuresFile, storedFigures } from './figures.ts'
import { manualFile, withWrittenPart, writtenPart } from './manual.ts'
import { computeFigures } from './run.ts'
import { tablesOf } from './tables.ts'
import { textsOf } from './texts.ts'

/**
 * `npm run instrument`: how far answers like ours can be trusted, by simulation (docs/instrument.md). It fails if the stored figures, the
 * manual's tables, the bands of contract/rules/what-changed.ts or a number on a screen say something else. `-- --write` stores and writes them.
 */

const figures = computeFigures()
const tables = tablesOf(figures)
process.stdout.write(`${tables}\n\n`)

if (process.argv.includes('--write')) {
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`)
  writeFileSync(manualFile, withWrittenPart(readFileSync(manualFile, 'utf8'), tables))
}

const { choices, points } = figures.change
const wrong = [
  ...differencesOf(storedFigures(), figures).map((name) => `${name} differs from the stored one`),
  ...(writtenPart(readFileSync(manualFile, 'utf8')) === tables ? [] : ['docs/instrument.md has other tables']),
  ...(choices === LETTER_CHANGE_ERROR && points === STYLE_CHANGE_ERROR ? [] : [`what-changed.ts: the bands are ${choices} and ${points}`]),
  ...LANGUAGES.flatMap((language) => wrongClaims(textsOf(language), language, figures)),
]
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
