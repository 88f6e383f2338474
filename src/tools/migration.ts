import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installApart } from './install-apart.ts'

/** `npm run migration -- --name what_it_does` writes the next migration from the tables in src/server/db/schema. */

const kit = join(await installApart('src/server/db/kit'), 'drizzle-kit/bin.cjs')
const args = [kit, 'generate', '--config', 'src/server/db/drizzle.config.ts', ...process.argv.slice(2)]
const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('../../', import.meta.url)), stdio: 'inherit' })
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1
