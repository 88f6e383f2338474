import * as z from 'zod/mini'
import { PAGE_SIZE } from './constants.ts'

/** From 1 on. */
export const pageNumber = z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000))
/** Rows per page. */
export const pageLimit = z.coerce.number().check(z.int(), z.gte(1), z.lte(100))

/** Query of a list with pages; by default the first page. API-41 */
export const paging = { page: z._default(pageNumber, 1), limit: z._default(pageLimit, PAGE_SIZE) }

/** Query of a table that is returned whole unless `limit` is given, since its rows are many and small. */
export const pageOfRows = { page: z.optional(pageNumber), limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))) }
