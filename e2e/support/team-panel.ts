import type { Page } from '@playwright/test'
import type { Words } from './words.ts'

/** The team overview as a coach sees it. */

export const team = (page: Page, t: Words) => page.getByRole('region', { name: t('team:TeamOverviewTitle'), exact: true })
export const teamRows = (page: Page, t: Words) => team(page, t).getByRole('rowheader')
