/** Builds the two yardsticks into .cache/bench, from the same questionnaire as the product. SPEED-1 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Option, Question, Section } from '#contract/rules/questionnaire.ts'
import { currentVersionOf, sectionsOf } from '#server/content/content.ts'
import { precompress } from '#tools/precompress.ts'

const sources = fileURLToPath(new URL('./yardsticks/', import.meta.url))
export const cache = fileURLToPath(new URL('../../.cache/bench/', import.meta.url))

export const CONTENT_VERSION = currentVersionOf('touchline-profile')
export const sections: Section[] = sectionsOf(CONTENT_VERSION, 'en')

/** Folders of the built pages. */
interface Yardsticks {
  floor: string
  react: string
}

export async function buildYardsticks(): Promise<Yardsticks> {
  const folders = { floor: join(cache, 'floor'), react: join(cache, 'plain-react') }
  await Promise.all(Object.values(folders).map((folder) => rm(folder, { recursive: true, force: true })))
  await buildFloor(folders.floor)
  await buildPlainReact(folders.react)
  for (const folder of Object.values(folders)) {
    await addWorker(folder)
    await precompress(folder)
  }
  return folders
}

async function buildFloor(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(join(sources, 'floor/floor.js'), join(folder, 'floor.js'))
  await cp(join(sources, 'page.css'), join(folder, 'page.css'))
  await writeFile(join(folder, 'index.html'), floorPage())
}

function floorPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Floor</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
    <script defer src="/floor.js"></script>
  </head>
  <body>
    <form><fieldset disabled>
${sections.map(floorSection).join('\n')}
    </fieldset></form>
    <output></output>
  </body>
</html>
`
}

function floorSection(section: Section): string {
  return `<section><h2>${escaped(section.name)}</h2>${section.questions.map((question) => floorQuestion(section, question)).join('\n')}</section>`
}

function floorQuestion(section: Section, question: Question): string {
  const isRanking = question.subQuestions.length > 0
  const items = isRanking ? question.subQuestions : [{ id: question.id, question: '' }]
  const options = question.options.length > 0 ? question.options : section.sectionOptions
  const rows = items.map(
    ({ id, question: text }) => `<div class="row">${escaped(text)}${options.map((option) => radio(id, option)).join('')}</div>`,
  )
  return `<div class="question${isRanking ? ' ranking' : ''}" id="${question.id}"><h3>${escaped(question.question)}</h3>${rows.join('')}</div>`
}

function radio(name: string, { value, label }: Option): string {
  return `<label><input type="radio" name="${name}" value="${value}" />${escaped(label)}</label>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

async function buildPlainReact(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(sources, 'plain-react'),
    plugins: [react()],
    define: { SECTIONS: JSON.stringify(sections) },
    // same settings as the product's build (vite.config.ts)
    build: {
      target: ['chrome111', 'safari16.4', 'firefox115'],
      outDir: folder,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  })
}

async function addWorker(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const urls = files.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(folder.length)
      .replace(/^\/index\.html$/, '/'),
  )
  await writeFile(join(folder, 'worker.js'), `const FILES = ${JSON.stringify(urls)}\n${await readFile(join(sources, 'worker.js'), 'utf8')}`)
}
