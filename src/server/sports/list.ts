import { SPORT } from '#contract/constants.ts'
import type { sports } from '#contract/sports.ts'
import type { Handler } from '../http/handle.ts'

export const list: Handler<typeof sports.list> = async ({ query: { page, limit } }) => ({
  data: [SPORT].slice((page - 1) * limit, page * limit),
})
