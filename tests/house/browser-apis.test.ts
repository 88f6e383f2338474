import { parseAst, Visitor } from 'vite'
import { expect, it } from 'vitest'
import { newerApis } from '#tools/browser-support.ts'
import { filesBelow, parse, read } from './source-files.ts'

/**
 * What runs in a browser uses nothing that the oldest of the build target lack (docs/decisions/0035), unless
 * polyfills.ts brings it. Of JavaScript itself the compiler knows: its `lib` there is ES2023.
 */

const ADDED = 'src/app/api/polyfills.ts'
const files = [...filesBelow('src/app', /\.(tsx?|js)$/), ...filesBelow('src/contract', /\.ts$/), ...filesBelow('sw', /\.ts$/)]
const { newer, old } = newerApis()

const nameIn = (key: string) =>
  key
    .replace(/_static$/, '')
    .split('.')
    .at(-1) ?? ''
const statics = new Set(newer.filter((key) => /^[A-Za-z]+\.\w+$/.test(key)).map((key) => key.replace(/_static$/, '')))
const globals = new Set(newer.flatMap((key) => (/^\w+$/.test(key) ? [key] : key.startsWith('Window.') ? [nameIn(key)] : [])))
/** Members of classes that screens use, where no older class has one of this name. Others cannot be told apart without types. */
const CHECKED_CLASSES =
  /^(?:Element|HTML\w*Element|Document|Node|Event|EventTarget|Navigator|Request|Response|Headers|Blob|File|FormData|URLSearchParams|Crypto|StorageManager|ServiceWorker\w*|IDB\w+|DataTransfer)\./
const oldNames = new Set(old.map(nameIn))
const members = new Set(
  newer.filter((key) => CHECKED_CLASSES.test(key) && /^\w+\.[a-z]\w+$/.test(key) && !oldNames.has(nameIn(key))).map(nameIn),
)

function newerIn(code: string, path: string): string[] {
  const found = new Set<string>()
  const checked = new Set<unknown>()
  const visitor = new Visitor({
    MemberExpression(node) {
      if (node.computed || node.property.type !== 'Identifier') return
      const { name } = node.property
      const owner = node.object.type === 'Identifier' ? node.object.name : ''
      if (globals.has(owner)) found.add(owner)
      else if (statics.has(`${owner}.${name}`)) found.add(`${owner}.${name}`)
      else if (members.has(name)) found.add(`.${name}`)
    },
    CallExpression({ callee }) {
      if (callee.type === 'Identifier' && globals.has(callee.name)) found.add(callee.name)
    },
    // `'scheduler' in globalThis`, `'share' in navigator`
    BinaryExpression({ left, operator, right }) {
      if (operator !== 'in' || left.type !== 'Literal' || right.type !== 'Identifier') return
      if (right.name === 'globalThis') checked.add(left.value)
      if (right.name === 'navigator') checked.add(`.${String(left.value)}`)
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && globals.has(callee.name)) found.add(callee.name)
    },
  })
  visitor.visit(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return [...found].filter((name) => !checked.has(name))
}

const added = addedIn(ADDED)

/** Added by name: `add(URL, 'parse', …)`. */
function addedIn(path: string): Set<string> {
  const names = new Set<string>()
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [owner, name] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'add' || owner?.type !== 'Identifier' || name?.type !== 'Literal') return
      names.add(`${owner.name}.${String(name.value)}`)
    },
  })
  visitor.visit(parse(path).program)
  return names
}

it('the source uses no API that the oldest browsers lack', () => {
  const used = files.flatMap((path) => newerIn(read(path), path).map((name) => `${path}: ${name}`))
  expect(used.filter((one) => ![...added].some((name) => one.endsWith(`: ${name}`)))).toEqual([])
})

it('an API that is too new is found', () => {
  expect(added).toContain('AbortSignal.any')
  const planted = 'URL.parse(a); AbortSignal.any([]); Promise.withResolvers(); new Sanitizer(); scheduler.yield(); box.showPopover()'
  expect(newerIn(planted, 'x.ts')).toEqual([
    'URL.parse',
    'AbortSignal.any',
    'Promise.withResolvers',
    'Sanitizer',
    'scheduler',
    '.showPopover',
  ])
  expect(newerIn('Promise.all([]); [1].at(0); crypto.randomUUID(); new URL(a)', 'x.ts')).toEqual([])
})
