import { SPORT } from '#contract/constants.ts'
import type { sports } from '#contract/sports.ts'
import type { Handler } from '../http/handler.ts'

/** One page of the sports; there is only one sport. */
export const list: Handler<typeof sports.list> = async ({ query: { page, limit } }) => ({
  data: [SPORT].slice((page - 1) * limit, page * limit),
})
