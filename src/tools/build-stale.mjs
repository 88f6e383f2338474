/** `npm run build:stale`: builds only what is missing or older than its sources. */
import { buildWhatIsMissing, requireNode } from './start.mjs'

requireNode()
await buildWhatIsMissing()
