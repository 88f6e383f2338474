import * as z from 'zod/mini'
import { PAGE_SIZE } from './constants.ts'

export const pageNumber = z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000))
export const pageLimit = z.coerce.number().check(z.int(), z.gte(1), z.lte(100))

/** Query of a list that comes in pages: the first one unless told. API-41 */
export const paging = { page: z._default(pageNumber, 1), limit: z._default(pageLimit, PAGE_SIZE) }

/** Query of a table that comes whole unless a `limit` is told: its rows are many and small. */
export const pageOfRows = { page: z.optional(pageNumber), limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))) }
