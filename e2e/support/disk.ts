import type { Page } from '@playwright/test'

/** The disk refuses everything between the events `diskFull` and `diskFree`. */
export async function installFillingDisk(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    let isFull = false
    addEventListener('diskFull', () => (isFull = true))
    addEventListener('diskFree', () => (isFull = false))
    IDBObjectStore.prototype.put = function (...given) {
      if (isFull) throw new DOMException('The disk is full', 'QuotaExceededError')
      return put.apply(this, given)
    }
  })
}
