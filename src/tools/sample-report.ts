/**
 * The sample report that cards and results link to (HOME-5, RESULTS-2): two pages with the words of a real report, for an invented
 * person, in each language. The PDFs are committed: after a change to the words, run `node src/tools/sample-report.ts` with
 * `CHROMIUM_PATH` set.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { chromium, type Page } from 'playwright'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { sampleReportOf } from '#server/content/content.ts'
import { documentOf } from './sample-report-sheets.ts'

const style = await readFile(new URL('sample-report.css', import.meta.url), 'utf8')

async function makeSampleReports(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  for (const language of LANGUAGES) await make(await browser.newPage(), language)
  await browser.close()
}

async function make(page: Page, language: Language): Promise<void> {
  await page.setContent(documentOf(language, style))
  const tooLong = await page.locator('.sheet').evaluateAll((sheets) => sheets.filter((one) => one.scrollHeight > one.clientHeight).length)
  if (tooLong > 0) throw new Error(`The words do not fit their sheet (${language})`)
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
  await writeFile(new URL(`../../public/media/sample/${sampleReportOf('touchline-profile', language)}`, import.meta.url), pdf)
}

if (import.meta.main) await makeSampleReports()
