import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = new Set(['.js', '.css', '.html', '.json', '.svg', '.webmanifest'])
const SIZE_MINIMUM = 1024
const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Writes `name.br` and `name.gz`, which the server sends, for every file of the built portal that becomes smaller. */
export async function precompress(folder: string = dist): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) {
    const content = await readFile(file)
    if (content.length < SIZE_MINIMUM) continue
    // there are many city lists: at the highest quality they would take longer than the build
    const quality = file.includes('cities') ? 7 : constants.BROTLI_MAX_QUALITY
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    ])
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
  }
}
