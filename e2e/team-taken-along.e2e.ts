import { readFile } from 'node:fs/promises'
import { paths } from '#app/paths.ts'
import { type AllocatedInstance } from '#contract/instances.coach.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { signInByApi } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { ALLOCATED, DEMO_COACH, team as panel, teamRows as rows, teamOf } from './support/team-panel.ts'
import { wordsOf, type Words } from './support/words.ts'

/** The coach’s team on paper and as a file. TEAM-17, TEAM-18 */

test('the whole squad prints on one sheet without buttons', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await page.route(ALLOCATED, async (route) => {
    const response = await route.fetch()
    const { assessments } = (await response.json()) as { assessments: AllocatedInstance[] }
    const more = assessments.slice(0, 2).map((one, at) => ({ ...one, instanceId: `more-${at}`, userEmail: `more${at}@club.test` }))
    await route.fulfill({ response, json: { assessments: [...assessments, ...more] } })
  })
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByText(t('team:TeamCount', { shown: 22, total: 22, count: 22 }))).toBeVisible()
  // a printed page is an object of the file
  const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
  expect(pages).toHaveLength(1)

  await page.evaluate(() => {
    window.print = () => void dispatchEvent(new Event('beforeprint'))
  })
  await page.getByRole('button', { name: t('team:TeamPrint') }).click()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.getByRole('table')
  await expect(sheet.getByRole('row')).toHaveCount(23)
  await expect(sheet.getByRole('columnheader')).toHaveText([
    'Player',
    'Team',
    'Position',
    'Player Type',
    'Status',
    'Assessment Date',
    'Result',
  ])
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
})

for (const language of LANGUAGES) {
  test(`no heading of the printed team is cut within a word (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    // A4 between its margins
    await page.setViewportSize({ width: 718, height: 1047 })
    await arriveAs(page, await signInByApi(server.url, DEMO_COACH), paths.home(), { language })
    await expect(panel(page, t).getByText(t('team:TeamCount', { shown: 20, total: 20, count: 20 }))).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    const headings = page.getByRole('columnheader')
    await expect(headings).toHaveCount(7)
    const linesOf = (cells: Element[]) =>
      cells.map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return { text: cell.textContent, words: cell.textContent.split(' ').length, lines: range.getClientRects().length }
      })
    expect((await headings.evaluateAll(linesOf)).filter(({ words, lines }) => lines > words)).toEqual([])
  })
}

test('the table is saved as a file in the format of the reader’s spreadsheets', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  const save = async (words: Words) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: words('team:TeamSaveFile') }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const all = await save(t)
  expect(all.name).toMatch(/^touchline-team-\d{4}-\d{2}-\d{2}\.csv$/)
  const [heading = ''] = all.text.split('\r\n')
  expect(heading).toBe('\uFEFFPlayer,Email,Status,Assessment Date,Team,Player Type,Position,"Result (what they prefer, not for selection)"')
  // all pages
  expect(all.text.trimEnd().split('\r\n')).toHaveLength(team.length + 1)

  const one = team[0]?.userEmail ?? ''
  await panel(page, t).getByRole('searchbox').fill(one)
  await expect(rows(page, t)).toHaveCount(1)
  await page.getByRole('button', { name: 'Français' }).click()
  const fr = wordsOf('fr')
  await expect(page.getByRole('button', { name: fr('team:TeamSaveFile') })).toBeVisible()
  const filtered = await save(fr)
  expect(filtered.name).toMatch(/^touchline-equipe-.*\.csv$/)
  const lines = filtered.text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]?.split(';')[1]).toBe(one)
})
