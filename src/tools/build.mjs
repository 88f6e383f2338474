/** `npm run build`: builds the city lists if they are missing or outdated, and the portal in any case. */
import { buildPortal, requireNode } from './builds.mjs'

requireNode()
const { makeCities } = await import('./cities.ts')
await makeCities()
await buildPortal()
