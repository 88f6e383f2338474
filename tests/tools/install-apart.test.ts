import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join, relative } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installApart } from '#tools/install-apart.ts'

/** A folder of the repository with a manifest, and an npm that does what this shell script says. */
async function given(script: string): Promise<{ folder: string; own: string }> {
  await mkdir('.cache', { recursive: true })
  const own = await mkdtemp(join('.cache', 'apart-'))
  onTestFinished(() => rm(own, { recursive: true, force: true }))
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await writeFile(join(own, file), '')
  await mkdir(join(own, 'bin'))
  await writeFile(join(own, 'bin', 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', [join(process.cwd(), own, 'bin'), process.env['PATH']].join(delimiter))
  onTestFinished(() => void vi.unstubAllEnvs())
  return { folder: relative(process.cwd(), own), own }
}

const INSTALL = 'mkdir -p node_modules/one && echo whole > node_modules/one/file && echo {} > node_modules/.package-lock.json'
const parts = async () => (await readdir('.cache')).filter((name) => name.startsWith('install-'))

test('two that ask at once both find it whole, and a later one installs nothing', async () => {
  const { folder, own } = await given(INSTALL)
  const found = await Promise.all([installApart(folder), installApart(folder)])
  expect(await readFile(join(found[1] ?? '', 'one', 'file'), 'utf8')).toBe('whole\n')
  expect((await readdir(own)).toSorted()).toEqual(['.npmrc', 'bin', 'node_modules', 'package-lock.json', 'package.json'])
  await writeFile(join(own, 'bin', 'npm'), '#!/bin/sh\nexit 1\n')
  await expect(installApart(folder)).resolves.toBe(found[0])
})

test('what a killed one has left is replaced', async () => {
  const { folder } = await given(INSTALL)
  await mkdir(join(folder, 'node_modules', 'half'), { recursive: true })
  expect((await readdir(await installApart(folder))).toSorted()).toEqual(['.package-lock.json', 'one'])
})

test('an npm that fails is told, and leaves nothing', async () => {
  const { folder } = await given('echo no network >&2; exit 1')
  const before = await parts()
  await expect(installApart(folder)).rejects.toThrow('no network')
  expect(await readdir(folder)).not.toContain('node_modules')
  expect(await parts()).toEqual(before)
})
