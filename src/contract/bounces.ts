import * as z from 'zod/mini'
import { BOUNCE_REASONS } from './rules/statuses.ts'

/** A mail that came back: when (UTC instant, ISO 8601) and why. */
export const bounce = z.object({ at: z.string(), why: z.enum(BOUNCE_REASONS) })
export type Bounce = z.output<typeof bounce>
