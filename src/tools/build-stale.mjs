/** `npm run build:stale`: builds what is missing or older than what it is made of, and nothing else. */
import { buildWhatIsMissing, requireNode } from './start.mjs'

requireNode()
await buildWhatIsMissing()
