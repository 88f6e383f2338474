// zod probes for `new Function` when the first schema is made; a strict CSP reports that. Imported before any schema, and without zod itself,
// which the first paint does not need.
import type { core } from 'zod/mini'

declare global {
  /** zod's settings, which it takes over when it loads */
  var __zod_globalConfig: core.$ZodConfig | undefined
}

globalThis.__zod_globalConfig = { ...globalThis.__zod_globalConfig, jitless: true }
