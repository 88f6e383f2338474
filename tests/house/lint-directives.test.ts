import { expect, it } from 'vitest'
import { filesBelow, parse } from './source-files.ts'

it('a rule of oxlint is switched off for one line, by its name there, and says why', () => {
  const directives = ['src', 'sw', 'tests', 'e2e']
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
    .flatMap((path) => parse(path).comments.map(({ value }) => [path, value.trim()] as const))
    .filter(([, text]) => /^(es|ox)lint-/.test(text))
  expect(directives.length).toBeGreaterThan(10)
  expect(directives.filter(([, text]) => !/^oxlint-disable-next-line [\w/, -]+ -- \S/.test(text))).toEqual([])
})
