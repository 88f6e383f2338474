// zod probes for `new Function` when the first schema is made; a strict CSP reports that. Imported before any schema.
import { config } from 'zod/v4/core'

config({ jitless: true })
