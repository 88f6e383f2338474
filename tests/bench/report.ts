import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figures, verdictOf, type Figure, type Measured } from './figures.ts'

const folder = fileURLToPath(new URL('../../bench-results/', import.meta.url))

interface Line {
  key: string
  figure: string
  ours: string
  yardstick: string
  ratio: string
  reach: string
  aim: string
  verdict: string
}

const digits = (value: number) => (Number.isFinite(value) ? String(Math.round(value * 100) / 100) : 'printed')

function lineOf(figure: Figure, measured: Measured): Line {
  const { unit } = figure
  const { value } = measured
  const compared = unit === '×' ? '×' : ''
  const noise = value.count > 1 ? ` (${digits(value.p10)}–${digits(value.p90)})` : ''
  const withUnit = (limit: number) => `${digits(limit)}${Number.isFinite(limit) && unit !== '' ? ` ${unit}` : ''}`
  return {
    key: figure.key,
    figure: figure.figure,
    ours: measured.ours + (compared === '' ? noise : ''),
    yardstick: measured.yardstick ?? '',
    ratio: compared === '' ? '' : `${digits(value.median)}${compared}${noise}`,
    reach: withUnit(figure.reach),
    aim: withUnit(figure.aim),
    verdict: verdictOf(figure, value.median),
  }
}

const COLUMNS = ['figure', 'ours', 'yardstick', 'ratio', 'reach', 'aim', 'verdict'] as const

/** Markdown for docs/performance.md. Each median is followed by p10–p90 of the runs in brackets. */
export function tableOf(rows: readonly Measured[]): string {
  const lines = linesOf(rows)
  const widths = COLUMNS.map((column) => Math.max(column.length, ...lines.map((line) => line[column].length)))
  const row = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [
    row(COLUMNS),
    row(widths.map((width) => '-'.repeat(width))),
    ...lines.map((line) => row(COLUMNS.map((column) => line[column]))),
  ].join('\n')
}

function linesOf(rows: readonly Measured[]): Line[] {
  return figures.flatMap((figure) => {
    const measured = rows.find((row) => row.key === figure.key)
    return measured ? [lineOf(figure, measured)] : []
  })
}

export function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Node ${process.version}`
}

/** Returns the path of the written file. */
export async function writeResults(
  rows: readonly Measured[],
  about: { at: string; runs: number; browser: string; busyAtStart: number },
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${about.at.replaceAll(/[:.]/g, '-')}.json`)
  await writeFile(file, `${JSON.stringify({ machine: machine(), ...about, table: linesOf(rows), rows }, null, 2)}\n`)
  return file
}
