import { rm } from 'node:fs/promises'
import { isWebKitInstalled, loadSelenium } from './engines/webkit.ts'
import { ProductServer } from './server.ts'

/** Makes one data folder with the demo accounts, which every worker's server copies. */
export default async function seed(): Promise<() => Promise<void>> {
  // before the time of any journey begins
  if (isWebKitInstalled) await loadSelenium()
  const server = await ProductServer.start()
  const folder = await server.close()
  process.env['E2E_SEEDED'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
