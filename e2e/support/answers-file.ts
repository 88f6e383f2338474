import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { files } from '#contract/files.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Api } from './api.ts'

/** A file of answers as this button saves it, as a download. */
export async function savedFile(page: Page, button: Locator): Promise<{ text: string; download: Download; path: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const path = await download.path()
  return { text: await readFile(path, 'utf8'), download, path }
}

/** Brings it back without the screen. */
export function bringByApi(url: string, text: string): Promise<ReplyOf<typeof files.bring>> {
  return new Api(url).ask(files.bring, { body: { file: text } })
}
