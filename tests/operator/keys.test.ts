import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { SignJWT, jwtVerify } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import { loadKeys } from '#server/keys.ts'
import { productionSettings } from '#tests/server/production-settings.ts'
import { touchline } from './support.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const keysOf = async (text: string) => loadKeys(readEnv({ ...productionSettings, ...parseEnv(text) }), null)

test('makes all secrets, which production accepts and which are never the same twice', async () => {
  const [first, second] = await Promise.all([touchline(['keys']), touchline(['keys'])])
  expect(first).toMatchObject({ exit: 0, err: '' })
  const [one, other] = [parseEnv(first.out), parseEnv(second.out)]
  expect(Object.keys(one).toSorted()).toEqual([
    'AUDIT_KEY',
    'CODE_PEPPER',
    'MAIL_BOUNCE_KEY',
    'OPERATOR_KEY',
    'REFRESH_KEY',
    'TOKEN_SIGNING_KEYS',
  ])
  expect((await keysOf(first.out)).operatorKey).toBe(one['OPERATOR_KEY'])
  for (const [name, value] of Object.entries(one)) expect(other[name]).not.toBe(value)
})

describe('a rotation', () => {
  test('signs with a new key, and verifies what the old one signed', async () => {
    const { out: before } = await touchline(['keys'])
    const old = await keysOf(before)
    const token = await new SignJWT({ sub: 'someone' }).setProtectedHeader({ alg: 'ES256' }).sign(signingKeyOf(old).privateKey)
    const { exit, out } = await touchline(['keys', '--rotate'], plain(parseEnv(before)))
    expect(exit).toBe(0)
    const now = await keysOf(out)
    expect(signingKeyOf(now).kid).not.toBe(signingKeyOf(old).kid)
    const verified = await Promise.any(now.signing.map(({ publicKey }) => jwtVerify(token, publicKey)))
    expect(verified.payload.sub).toBe('someone')
    expect(now.auditKeys).toEqual([expect.any(String), ...old.auditKeys])
    expect(now.operatorKey).not.toBe(old.operatorKey)
    // a new one would end every session
    expect(now.refreshKey).toBe(old.refreshKey)
    expect(now.codePepper).toBe(old.codePepper)
  })

  test('accepts reports of mail by the new key and the last one, and makes none where nobody reports', async () => {
    const before = plain(parseEnv((await touchline(['keys'])).out))
    const bounceKeys = async (keys: Record<string, string>) =>
      readEnv({ ...productionSettings, ...parseEnv((await touchline(['keys', '--rotate'], keys)).out) }).mailBounceKeys
    const first = before['MAIL_BOUNCE_KEY'] ?? ''
    const once = await bounceKeys(before)
    expect(once).toEqual([expect.any(String), first])
    expect(await bounceKeys({ ...before, MAIL_BOUNCE_KEY: once.join(',') })).toEqual([expect.any(String), once[0]])
    expect(await bounceKeys({ ...before, MAIL_BOUNCE_KEY: '' })).toEqual([])
  })

  test('in two steps uses the new keys only once every process knows them', async () => {
    const { out: before } = await touchline(['keys'])
    const old = await keysOf(before)
    const prepared = await touchline(['keys', '--prepare'], plain(parseEnv(before)))
    const known = await keysOf(prepared.out)
    expect(signingKeyOf(known).kid).toBe(signingKeyOf(old).kid)
    const promoted = await keysOf((await touchline(['keys', '--promote'], plain(parseEnv(prepared.out)))).out)
    expect(promoted.signing.map(({ kid }) => kid)).toEqual(known.signing.map(({ kid }) => kid).toReversed())
    expect(promoted.auditKeys).toEqual([...known.auditKeys].toReversed())
  })

  test('promotes new keys once, and never the old ones that follow them', async () => {
    const { out: before } = await touchline(['keys'])
    const next = async (option: string, from: string) => touchline(['keys', option], plain(parseEnv(from)))
    const prepared = (await next('--prepare', (await next('--prepare', before)).out)).out
    const promoted = await next('--promote', prepared)
    expect(promoted.exit).toBe(0)
    const rotated = await next('--rotate', before)
    for (const done of [promoted, rotated, await next('--rotate', prepared)])
      expect(await next('--promote', done.out)).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('promoted already') })
    expect((await next('--prepare', promoted.out)).exit).toBe(0)
  })

  test('reads a file and writes another, for its owner only, and writes over nothing', async () => {
    const folder = await newFolder()
    const [old, made] = [join(folder, 'old.env'), join(folder, 'new.env')]
    await writeFile(old, `PORT=3000\n${(await touchline(['keys'])).out}\n`)
    expect(await touchline(['keys', '--rotate', '--from', old, '--out', made])).toMatchObject({ exit: 0, out: '' })
    expect((await stat(made)).mode % 0o1000).toBe(0o600)
    expect((await keysOf(await readFile(made, 'utf8'))).signing).toHaveLength(2)
    const again = await touchline(['keys', '--out', made])
    expect([again.exit, again.err]).toEqual([1, expect.stringContaining('exists already')])
  })

  test.each([
    [
      'into a folder that is not there',
      ['--out', '/nowhere/.env'],
      {},
      1,
      /^\/nowhere\/\.env cannot be written: .*\. Name a file in a folder that exists\.$/,
    ],
    ['into a folder in which nobody can write', ['--out', '/proc/.env'], {}, 1, /^\/proc\/\.env cannot be written/],
    ['without the present keys', ['--rotate'], {}, 2, /^The environment has no TOKEN_SIGNING_KEYS, REFRESH_KEY/],
    ['of two kinds at once', ['--rotate', '--prepare'], {}, 2, /^Choose one of/],
    ['from a file that is not there', ['--rotate', '--from', '/nowhere/.env'], {}, 2, /^--from \/nowhere\/\.env cannot be read/],
    ['from a file, but all new', ['--from', '/nowhere/.env'], {}, 2, /^--from needs --rotate, --prepare or --promote/],
  ])('%s is refused', async (_what, options, environment, exit, reason) => {
    expect(await touchline(['keys', ...options], environment)).toMatchObject({ exit, err: expect.stringMatching(reason) })
  })

  test('of damaged keys is refused, and so is a promotion without a second key', async () => {
    const keys = plain(parseEnv((await touchline(['keys'])).out))
    expect(await touchline(['keys', '--rotate'], { ...keys, TOKEN_SIGNING_KEYS: '[]' })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('must be a JSON list of private P-256 JWKs'),
    })
    expect((await touchline(['keys', '--promote'], keys)).err).toContain('There is no second key to promote')
  })
})

describe('the command line', () => {
  test('has help for all and for each command', async () => {
    const { exit, out } = await touchline(['--help'])
    expect(exit).toBe(0)
    const names = ['doctor', 'keys', 'backup', 'restore', 'upgrade', 'export-person', 'erase', 'reopen', 'resend', 'block', 'unblock']
    for (const name of names) {
      expect(out).toContain(`  ${name} `)
      const help = await touchline([name, '--help'])
      expect(help).toMatchObject({ exit: 0, out: expect.stringContaining(`Usage: touchline ${name}`) })
    }
  })

  test.each([
    ['an unknown command', ['fly'], /unknown command 'fly'/],
    ['an unknown option', ['keys', '--fast'], /unknown option '--fast'/],
    ['an erasure that is not confirmed', ['erase', 'someone@club.test'], /required option '--yes' not specified/],
    ['a settings file that is not there', ['--env-file', '/nowhere', 'keys', '--rotate'], /--env-file \/nowhere cannot be read/],
    ['a value that is empty', ['backup', '--to', ''], /^--to is empty: give it a value, or leave it out\.$/],
    ['a settings file that is empty', ['--env-file', '', 'keys'], /^--env-file is empty/],
    ['an option with two values', ['backup', '--to', 'a', '--to', 'b'], /^--to is given twice: give it once\.$/],
    [
      'an option that has swallowed another',
      ['keys', '--out', '--rotate'],
      /^--out needs a value, and --rotate is an option: .* \.\/--rotate\.$/,
    ],
    ['an option before the question for help', ['backup', '--to', '-h'], /^--to needs a value, and -h is an option/],
    ['an argument that is empty', ['restore', ' '], /^<backup> is empty: name it\.$/],
    ['a person who is empty', ['erase', '', '--yes'], /^<person> is empty/],
    ['a server that is no address', ['block', 'a@b.test', '--server', 'localhost'], /--server must be an address/],
    ['a server without a name', ['block', 'a@b.test', '--server', 'http://'], /--server must be an address/],
  ])('%s is refused with code 2', async (_what, args, reason) => {
    expect(await touchline(args, { OPERATOR_KEY: 'x' })).toMatchObject({ exit: 2, err: expect.stringMatching(reason) })
  })
})

// elsewhere the command is started by another file, which npm makes of its first line
test.runIf(process.platform !== 'win32')('a settings file that is not there is named by the tool, not by Node', async () => {
  const child = spawn(resolve('src/operator/touchline.mjs'), ['--env-file', '/nowhere', 'keys'], {
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  expect([code, said]).toEqual([2, expect.stringMatching(/^--env-file \/nowhere cannot be read/)])
})

const plain = (environment: NodeJS.Dict<string>) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? '']))

function signingKeyOf({ signing }: Awaited<ReturnType<typeof loadKeys>>) {
  const [first] = signing
  if (!first) throw new Error('no key')
  return first
}
