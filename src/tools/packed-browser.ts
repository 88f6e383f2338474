import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installApart } from './install-apart.ts'

interface PackedChromium {
  default: { executablePath: () => Promise<string> }
}

/** A Chromium from npm for a Linux that has none, installed and unpacked; `libraries` is the folder of those that came with it. */
export async function packedBrowser(): Promise<{ path: string; libraries: string }> {
  const program = join(await installApart('tests/installed/chromium'), '@sparticuz/chromium/build/index.js')
  const before = { ...process.env }
  // else it does not unpack its libraries
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  delete process.env['LD_LIBRARY_PATH']
  const { default: packed } = (await import(pathToFileURL(program).href)) as PackedChromium // as that version has it
  const path = await packed.executablePath()
  const libraries = process.env['LD_LIBRARY_PATH'] ?? ''
  process.env = before
  return { path, libraries }
}
