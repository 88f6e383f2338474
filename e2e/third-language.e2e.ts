import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newAddress, newPlayer, scriptOf } from './support/api.ts'
import { arriveAs, askForCode, expect, test, typeCode } from './support/journey.ts'
import { ProductServer, root } from './support/server.ts'
import { wordsOf, type Words } from './support/words.ts'

/** Another language needs its texts and one line. Here it is English in brackets, in a copy of the repository. */

const CODE = 'qx'
const NAME = 'Qixi'
const CONTENT = 'src/server/content'
// the files that the build and the server read
const COPIED = ['src', 'sw', 'locales', 'public', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts']

const inBrackets = (text: string) => `⟦${text}⟧`
const words: Words = (key, values) => inBrackets(wordsOf('en')(key, values))

let copy: string
let server: ProductServer

test.beforeAll(async () => {
  test.setTimeout(180_000)
  copy = mkdtempSync(join(tmpdir(), 'touchline-language-'))
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  addLanguage()
  const run = (...command: string[]) => execFileSync(process.execPath, command, { cwd: copy, stdio: 'pipe' })
  run('src/tools/content-files.ts')
  run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error')
  server = await ProductServer.start({ program: copy })
})

test.afterAll(async () => {
  await server.throwAway()
  rmSync(copy, { recursive: true, force: true })
})

function addLanguage(): void {
  const list = join(copy, 'src/contract/languages.ts')
  const row = `  ${CODE}: { name: '${NAME}', csvSeparator: ',' },\n`
  writeFileSync(list, readFileSync(list, 'utf8').replace('\n} as const satisfies', `\n${row}} as const satisfies`))
  for (const name of readdirSync(join(copy, 'locales/en'))) translate(`locales/en/${name}`, `locales/${CODE}/${name}`)
  translate(`${CONTENT}/advice.en.json`, `${CONTENT}/advice.${CODE}.json`)
  for (const version of readdirSync(join(copy, CONTENT)).filter((name) => name.startsWith('touchline-profile-'))) {
    const own = `${CONTENT}/${version}`
    for (const area of ['items', 'results']) translate(`${own}/${area}.en.json`, `${own}/${area}.${CODE}.json`)
    cpSync(join(copy, own, 'overviews/en'), join(copy, own, `overviews/${CODE}`), { recursive: true })
  }
}

function translate(from: string, to: string): void {
  const text = JSON.stringify(JSON.parse(readFileSync(join(copy, from), 'utf8')), (key, value: unknown) =>
    typeof value === 'string' && !/filename/i.test(key) ? inBrackets(value) : value,
  )
  cpSync(join(copy, from), join(copy, to), { recursive: true })
  writeFileSync(join(copy, to), text)
}

test('a new language is offered, stays chosen, and is used by screens, questions and mails', async ({ page }) => {
  await page.goto(server.url + paths.login())
  await page.getByRole('button', { name: NAME }).click()
  await expect(page.getByRole('heading', { name: words('auth:LoginTitle') })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', CODE)
  await page.reload()
  await expect(page.getByRole('heading', { name: words('auth:LoginTitle') })).toBeVisible()

  const player = await newPlayer(server.url)
  const email = newAddress()
  await askForCode(page, words, email)
  const [mail] = await player.api.mails(email)
  expect(mail?.subject).toMatch(/^⟦.*⟧$/)
  await typeCode(page, words, await player.api.code(email))
  await expect(page.getByRole('region', { name: words('home:SummaryTitle') })).toBeVisible()

  const [first] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('group', { name: inBrackets(first?.text ?? ''), exact: true })).toBeVisible()
})
