import { expect, it } from 'vitest'
import { filesBelow, read } from './source-files.ts'

/** Each file that a document names is there. */

const pages = [
  'README.md',
  ...filesBelow('docs', /\.md$/),
  ...filesBelow('.github', /\.md$/),
  ...['src', 'sw', 'tests', 'e2e', 'locales'].flatMap((folder) => filesBelow(folder, /README\.md$/)),
]
const folders = ['docs', '.github', '.ci', '.vscode', 'src', 'sw', 'tests', 'e2e', 'locales', 'public']
const files = [
  ...folders.flatMap((folder) => filesBelow(folder)),
  ...['README.md', 'LICENSE', 'NOTICE', '.env.example', '.nvmrc', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'],
]
/** Made by a build, an installation or a server, or only an example of a name. */
const MADE = /^(dist|node_modules|test-results|bench-results|audit)\/|^(\.data|public\/media)\/|^sw(-remove)?\.js$/
const EXAMPLES = new Set(['store.ts', 'present.ts', '*-store.ts', 'dev/mail.json'])

/** `locales/{en,fr}/<area>.json` → each spelling of it, with what stands for any name as a pattern. */
function patternsOf(name: string): RegExp[] {
  const [, before, choices, after] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(name) ?? []
  if (choices !== undefined) return choices.split(',').flatMap((one) => patternsOf(`${before}${one}${after}`))
  const any = name.replaceAll(/<[^>]*>|\*+|…|\{\w+\}/g, '\0')
  const escaped = any.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&').replaceAll('\0', '[^/]*')
  return [new RegExp(`(^|/)${escaped}${name.endsWith('/') ? '' : '$'}`)]
}

/** What stands in code marks and reads as a file or a folder of this repository, from the top or from one of its folders. */
function namedIn(page: string): string[] {
  const marked = [...read(page).matchAll(/`([^`\s]+)`/g)].map(([, text = '']) => text.replace(/:\d+$/, ''))
  const names = marked.map((text) => text.replace(/^#(app|contract|server|tools)\//, 'src/$1/').replace(/^#/, ''))
  return names.filter(
    (name) =>
      /^[\w@<{*.]?[\w@<>{},*…][\w.@<>{},*…/-]*$/.test(name) &&
      !/^\.\w+$/.test(name) &&
      (/\.(ts|tsx|mjs|css|json|md|sql|yml)$/.test(name) || /^(src|tests|e2e|locales)\/.*\/$/.test(name)),
  )
}

it('every file that a document names is there', () => {
  const lost = pages.flatMap((page) =>
    namedIn(page)
      .filter((name) => !MADE.test(name) && !EXAMPLES.has(name))
      .filter((name) => !patternsOf(name).every((pattern) => files.some((file) => pattern.test(file))))
      .map((name) => `${page} → ${name}`),
  )
  expect(lost).toEqual([])
})

it('a file that is not there is found', () => {
  const isThere = (name: string) => patternsOf(name).every((pattern) => files.some((file) => pattern.test(file)))
  expect(
    ['src/app/paths.ts', 'session/stored-copy.ts', 'locales/{en,fr}/errors.json', 'src/server/<subject>/get.ts'].filter(isThere),
  ).toHaveLength(4)
  expect(['src/app/path.ts', 'locales/{en,de}/errors.json', 'src/server/nowhere/'].filter(isThere)).toEqual([])
})

it('each decision has a number of its own', () => {
  const numbers = filesBelow('docs/decisions', /\/\d{4}-[^/]*\.md$/).map((path) => Number(path.slice('docs/decisions/'.length).slice(0, 4)))
  // none need follow the other: numbers are given out before the decisions are written
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
})

it('every file that an exception of the linter names is there', () => {
  const { overrides } = JSON.parse(read('.oxlintrc.json')) as { overrides: { files: string[] }[] }
  const names = overrides.flatMap((one) => one.files).filter((name) => !name.includes('*'))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !files.includes(name))).toEqual([])
})
