/** The part of docs/instrument.md that the simulation writes. */

export const manualFile = new URL('../../../docs/instrument.md', import.meta.url)

const BEGIN = '<!-- written by `npm run instrument -- --write` -->'
const END = '<!-- end of what is written -->'

export function writtenPart(manual: string): string {
  const [begin, end] = [manual.indexOf(BEGIN), manual.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error('docs/instrument.md has lost its markers')
  return manual.slice(begin + BEGIN.length, end).trim()
}

export function withWrittenPart(manual: string, tables: string): string {
  const written = writtenPart(manual)
  return written === '' ? manual.replace(BEGIN, `${BEGIN}\n\n${tables}\n`) : manual.replace(written, () => tables)
}
