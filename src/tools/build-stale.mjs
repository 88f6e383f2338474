/** `npm run build:stale`: builds only what is missing or older than its sources. */
import { buildStale, requireNode } from './builds.mjs'

requireNode()
await buildStale()
