/**
 * The questionnaire's words as files of the media host, one for each content version and language. They never change, so a browser
 * downloads each once. `.cache/content-files.json` lists their names for the build.
 */
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { LANGUAGES } from '#contract/languages.ts'
import { ASSESSMENT_ID, contentVersions, currentVersionOf, sectionsOf } from '#server/content/content.ts'
import { contentIndex, type ContentFiles } from './content-index.ts'

const root = new URL('../../', import.meta.url)
const output = new URL('public/media/content/', root)

export async function makeContentFiles(): Promise<ContentFiles> {
  const files: ContentFiles['files'] = {}
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  for (const version of contentVersions()) {
    for (const language of LANGUAGES) {
      const text = JSON.stringify({ sections: sectionsOf(version, language) })
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
      const name = `${version}.${language}.${hash}.json`
      await writeFile(new URL(name, output), text)
      files[version] = { ...files[version], [language]: name }
    }
  }
  const made = { current: currentVersionOf(ASSESSMENT_ID), files }
  await mkdir(new URL('./', contentIndex), { recursive: true })
  await writeFile(contentIndex, JSON.stringify(made))
  return made
}

if (import.meta.main) await makeContentFiles()
