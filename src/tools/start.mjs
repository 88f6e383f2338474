/**
 * `npm start`: builds what is missing or outdated, then serves the whole product. Plain JavaScript, because the Node that starts it may
 * be too old to run TypeScript; then it prints what to do.
 */
import module from 'node:module'
import { join } from 'node:path'
import { buildStale, requireNode, root } from './builds.mjs'

requireNode()
const { endWithNpm } = await import('./end-with-npm.ts')
endWithNpm()
// caches compiled modules, so that the next start is faster
module.enableCompileCache?.(join(root, '.cache/compile'))
await buildStale()
await import('../server/main.ts')
