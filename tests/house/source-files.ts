import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync, Visitor, type ParseResult } from 'vite'

const ROOT = join(import.meta.dirname, '../..')

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

/** The syntax tree, the imports and exports, and the comments of a file. */
export function parse(path: string): ParseResult {
  const parsed = parseSync(path, read(path))
  if (parsed.errors[0]) throw new Error(`${path}: ${parsed.errors[0].message}`)
  return parsed
}

/** Every string in a file's code: literals, the parts of templates, and text between tags. */
export function stringsIn(path: string): string[] {
  const strings: string[] = []
  const visitor = new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') strings.push(value)
    },
    TemplateElement: ({ value }) => strings.push(value.cooked ?? value.raw),
    JSXText: ({ value }) => strings.push(value),
  })
  visitor.visit(parse(path).program)
  return strings
}

/** What a file imports, types included, statically or by `import()`, by its path from the top; packages by their name. */
export function importsOf(path: string): string[] {
  const { module } = parse(path)
  const code = read(path)
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
  const imported = /^#(app|boot|contract|sandbox|server|tools)\/(.*)$/.exec(specifier)
  if (imported) return `src/${imported[1]}/${imported[2]}`
  const top = /^#(tests|locales)\/(.*)$/.exec(specifier)
  if (top) return `${top[1]}/${top[2]}`
  if (specifier.startsWith('.')) return relative(ROOT, join(ROOT, from, '..', specifier)).replaceAll('\\', '/')
  return specifier
}
