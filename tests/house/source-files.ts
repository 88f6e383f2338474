import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = join(import.meta.dirname, '../..')

/** Every file below a folder of the repository, by its path from the top. */
export function filesBelow(folder: string, pattern: RegExp = /./): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => pattern.test(path) && !/\/(node_modules|dist)\//.test(path))
    .toSorted()
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The code without comments and without the words in strings: enough for looking at identifiers and imports. */
export function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
}

/** What a file imports, types included, statically or by `import()`, by its path from the top; packages by their name. */
export function importsOf(path: string): string[] {
  const code = read(path)
  const { module, errors } = parseSync(path, code)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const exported = module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value))
  // an argument that is no plain string names no file
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => /^['"](.*)['"]$/.exec(code.slice(start, end))?.[1])
  const specifiers = [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic]
  return [...new Set(specifiers)].flatMap((specifier) => (specifier === undefined ? [] : resolve(path, specifier)))
}

/** What is loaded before a file runs: its static imports that are no types. */
export function loadedBefore(path: string): string[] {
  const { module } = parseSync(path, read(path))
  const loading = module.staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
  const passedOn = module.staticExports.flatMap(({ entries }) => entries.filter(({ isType }) => !isType))
  const specifiers = [
    ...loading.map(({ moduleRequest }) => moduleRequest.value),
    ...passedOn.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  ]
  return [...new Set(specifiers)].map((specifier) => resolve(path, specifier))
}

function resolve(from: string, specifier: string): string {
  const room = /^#(app|boot|contract|sandbox|server|tools)\/(.*)$/.exec(specifier)
  if (room) return `src/${room[1]}/${room[2]}`
  const top = /^#(tests|locales)\/(.*)$/.exec(specifier)
  if (top) return `${top[1]}/${top[2]}`
  if (specifier.startsWith('.')) return relative(ROOT, join(ROOT, from, '..', specifier)).replaceAll('\\', '/')
  return specifier
}
