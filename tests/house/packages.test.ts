import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, parse, read } from './source-files.ts'

/** What is installed, and under which terms. docs/decisions/0060 */

interface Locked {
  dev?: boolean
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

/** The packages that files in these folders import, types apart. */
function importedIn(folders: readonly string[]): Set<string> {
  const paths = folders.flatMap((folder) => filesBelow(folder, /\.tsx?$/))
  const names = paths.flatMap((path) => {
    const { staticImports, dynamicImports } = parse(path).module
    const code = read(path)
    const dynamic = dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1))
    const run = staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    return [...run.map(({ moduleRequest }) => moduleRequest.value), ...dynamic]
  })
  return new Set(names.filter((name) => /^[@a-z]/.test(name) && !/^(node|virtual):/.test(name)).map(packageOf))
}

/** Folders of src that are not in the image. */
const NOT_SHIPPED = new Set(['app', 'boot', 'gallery', 'tools'])
const folders = new Set(filesBelow('src', /^src\/\w+\//).map((path) => path.split('/')[1] ?? ''))
const server = importedIn([...folders].filter((folder) => !NOT_SHIPPED.has(folder)).map((folder) => `src/${folder}`))
const browser = importedIn(['src/contract', 'src/boot', 'src/app', 'sw'])

/** The packages that these need, by their path in the lockfile, found as Node finds them. */
function neededBy(roots: Iterable<string>): Set<string> {
  const found = new Set<string>()
  const visit = (name: string, from: string) => {
    let folder = from
    while (folder !== '' && packages[`${folder}/node_modules/${name}`] === undefined)
      folder = folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const locked = packages[path]
    if (locked === undefined || found.has(path)) return
    found.add(path)
    for (const next of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) visit(next, path)
  }
  for (const root of roots) visit(root, '')
  return found
}

const licencesOf = (paths: Iterable<string>) =>
  new Set([...paths].flatMap((path) => (packages[path]?.license ?? NOT_DECLARED[path] ?? `none: ${path}`).split(' AND ')))

/** A package whose licence stands in a file alone. */
const NOT_DECLARED: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' }

describe('dependencies', () => {
  it('are what the server loads, and nothing else', () => {
    const inBoth = Object.keys(manifest.dependencies).filter((name) => !server.has(name))
    expect(inBoth).toEqual(['@expo-google-fonts/source-sans-3'])
    expect([...server].filter((name) => !(name in manifest.dependencies))).toEqual([])
  })

  it('have exact versions', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    expect(versions.length).toBeGreaterThan(50)
    expect(versions.filter((version) => !EXACT.test(version))).toEqual([])
  })
})

describe('packages that are installed apart', () => {
  const apart = ['src', 'tests', 'e2e'].flatMap((folder) => filesBelow(folder, /\/package\.json$/).map((path) => dirname(path)))

  it('have exact versions, and a lockfile that names no registry', () => {
    expect(apart.length).toBeGreaterThan(3)
    for (const folder of apart) {
      const { dependencies } = JSON.parse(read(`${folder}/package.json`)) as { dependencies: Record<string, string> }
      expect(Object.values(dependencies), folder).toEqual([expect.stringMatching(EXACT)])
      expect(read(`${folder}/package-lock.json`), folder).not.toContain('"resolved"')
      expect(read(`${folder}/.npmrc`), folder).toContain('omit-lockfile-registry-resolved=true')
    }
  })

  it('are kept up to date as the others are', () => {
    const [, listed = ''] = /directories:\n((?: +- \/.*\n)+)/.exec(read('.github/dependabot.yml')) ?? []
    expect(
      listed
        .split('\n')
        .flatMap((line) => /- (\/.*)/.exec(line)?.[1] ?? [])
        .toSorted(),
    ).toEqual(['/', ...apart.map((folder) => `/${folder}`)].toSorted())
  })
})

describe('NOTICE', () => {
  const [, forBrowser = '', forServer = ''] = /What reaches the browser:([^]*)What the server loads:([^]*)/.exec(read('NOTICE')) ?? []
  const absent = (licences: Set<string>, text: string) => [...licences].filter((licence) => !text.includes(licence))

  it('names each licence of the packages that reach the browser', () => {
    expect(
      absent(
        licencesOf(neededBy([...browser].filter((name) => name in manifest.devDependencies || name in manifest.dependencies))),
        forBrowser,
      ),
    ).toEqual([])
  })

  it('names each licence of the packages that the server loads', () => {
    const needed = neededBy(Object.keys(manifest.dependencies))
    expect(needed.size).toBeGreaterThan(100)
    expect(absent(licencesOf(needed), forServer)).toEqual([])
  })
})

describe('what is run that is not ours', () => {
  it('is an action by its commit, with few rights', () => {
    const workflows = filesBelow('.github/workflows', /\.yml$/)
    const used = workflows.flatMap((path) => [...read(path).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
    expect(workflows.filter((path) => !/^permissions:\n  contents: read\n/m.test(read(path)))).toEqual([])
  })

  it('is in the image whole', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY src\/(\w+) /gm)].map(([, folder = '']) => folder)
    expect(copied.toSorted()).toEqual([...folders].filter((folder) => !NOT_SHIPPED.has(folder)).toSorted())
  })

  it('is one Node: of the image, of npm ci and of .nvmrc', () => {
    const version = read('.nvmrc').trim()
    expect(read('Dockerfile')).toContain(`library/node:${version}-`)
    expect(manifest.optionalDependencies['node']).toBe(version)
  })

  it('is one PostgreSQL: of the compositions, and of the tool that dumps it', () => {
    const files = ['Dockerfile', 'compose.yaml', 'docs/deploy/compose.production.yaml']
    const used = files.flatMap((path) => [...read(path).matchAll(/library\/postgres:(\S+)/g)].map(([, version]) => version))
    expect(used).toHaveLength(files.length)
    expect(new Set(used).size).toBe(1)
  })
})
