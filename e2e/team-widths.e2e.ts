import { paths } from '#app/paths.ts'
import { signInByApi } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { speak } from './support/look.ts'
import { DEMO_COACH, teamHeading, teamNames, team as panel, teamRows as rows } from './support/team-panel.ts'
import { wordsOf } from './support/words.ts'

/** The coach’s team at every width. TEAM-19 */

test('the team is cards on a phone and a table on a tablet', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await page.setViewportSize({ width: 390, height: 844 })
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  await expect(teamHeading(page, t, 'Email')).toBeHidden()
  // what is in a cell stands beside its label, never below it
  const below = await rows(page, t).locator('td[data-label]').evaluateAll(whatIsBelowItsLabel)
  expect(below).toEqual([])
  await panel(page, t)
    .getByLabel(t('team:TeamSortBy'))
    .selectOption({ label: t('team:TeamSortedDown', { column: 'Player' }) })
  const collator = new Intl.Collator('en')
  const shown = await teamNames(page, t)
  expect(shown).toEqual(shown.toSorted((a, b) => collator.compare(b, a)))
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await widthOf()).toBeLessThanOrEqual(0)
  // the next page is scrolled into view
  await panel(page, t)
    .getByRole('button', { name: t('ui:NextPage') })
    .click()
  await expect(rows(page, t).first()).toBeInViewport()

  await page.setViewportSize({ width: 820, height: 1180 })
  await expect(teamHeading(page, t, 'Email')).toBeVisible()
  expect(await widthOf()).toBeLessThanOrEqual(0)
})

test('all nine columns fit a tablet and a laptop, in both languages and in larger text', async ({ page, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await page.setViewportSize({ width: 820, height: 1180 })
  await arriveAs(page, coach, paths.home())
  for (const language of ['fr', 'en'] as const) {
    await speak(page, language)
    const t = wordsOf(language)
    await expect(rows(page, t)).toHaveCount(10)
    for (const percent of [100, 150]) {
      await page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent)
      // the sidebar as icons, and open
      for (const width of [820, 1280, 1920]) {
        await page.setViewportSize({ width, height: 1180 })
        await expect(panel(page, t).getByRole('columnheader')).toHaveCount(9)
        const found = await panel(page, t).getByRole('table').evaluate(whatIsNotWhole)
        expect.soft(found, `${language}, ${width} px, ${percent} %`).toEqual([])
        // a label wider than its column widens its filter, over the next one or out of the page
        const filters = await panel(page, t).getByRole('search').evaluate(widthsOfFilters)
        expect.soft(Math.max(...filters) - Math.min(...filters), `filters, ${language}, ${width} px, ${percent} %`).toBeLessThan(1)
      }
    }
    await page.evaluate(() => void (document.documentElement.style.fontSize = ''))
  }
})

/** Runs in the page: all filters and buttons above the table are as wide as a column. */
function widthsOfFilters(filters: HTMLElement | SVGElement): number[] {
  const controls = Array.from(filters.querySelectorAll('input, select, button'))
  return controls.map((control) => control.getBoundingClientRect().width).filter((width) => width > 0)
}

/** Runs in the page: cells and headings that are cut off, and texts that overlap another cell's. */
function whatIsNotWhole(table: HTMLElement | SVGElement): string[] {
  const pen = new OffscreenCanvas(1, 1).getContext('2d')
  const isWider = (field: HTMLInputElement | HTMLSelectElement) => {
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field)
    if (pen) pen.font = `${fontWeight} ${fontSize} ${fontFamily}`
    const words = field instanceof HTMLSelectElement ? (field.selectedOptions[0]?.label ?? '') : field.value
    return !pen || pen.measureText(words).width > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  }
  const boxesOf = (cell: Element): DOMRect[] => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const boxes = [...cell.querySelectorAll('input, select, button')].map((field) => field.getBoundingClientRect())
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement
      if (!parent || parent.closest('option, .visually-hidden, button')) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      boxes.push(...range.getClientRects())
    }
    return boxes
  }
  const found: string[] = []
  for (const row of table.querySelectorAll('tr')) {
    const cells = [...row.children].map((cell) => ({ cell, own: cell.getBoundingClientRect(), boxes: boxesOf(cell) }))
    if (cells.length !== 9) found.push(`${cells.length} columns`)
    for (const { cell, own, boxes } of cells) {
      const name = cell.textContent || (cell.getAttribute('data-label') ?? '')
      const isIn = (box: DOMRect, [left, right]: [number, number]) => box.width > 0 && box.left >= left - 1 && box.right <= right + 1
      if (!isIn(own, [0, document.documentElement.clientWidth])) found.push(`not on the screen: ${name}`)
      if (boxes.length === 0 || !boxes.every((box) => isIn(box, [own.left, own.right]))) found.push(`wider than its column: ${name}`)
      if ([...cell.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].some(isWider)) found.push(`cut off: ${name}`)
      const others = cells.filter((one) => one.cell !== cell).flatMap((one) => one.boxes)
      const isOver = (a: DOMRect, b: DOMRect) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
      if (boxes.some((box) => others.some((other) => isOver(box, other)))) found.push(`over another: ${name}`)
    }
  }
  return found
}

/** Texts of cards' cells of which a piece begins in the column of the labels. */
function whatIsBelowItsLabel(cells: Element[]): (string | null)[] {
  const range = document.createRange()
  const isBelow = (cell: Element) => {
    const [label = 0] = getComputedStyle(cell)
      .gridTemplateColumns.split(' ')
      .map((track) => Number.parseFloat(track))
    const start = cell.getBoundingClientRect().left + label
    return [...cell.childNodes].some((node) => {
      range.selectNode(node)
      const { left, width } = range.getBoundingClientRect()
      return width > 1 && left < start
    })
  }
  return cells.filter(isBelow).map((cell) => cell.textContent)
}
