import { SPORT } from '#contract/constants.ts'
import type { sports } from '#contract/sports.ts'
import type { Handler } from '../http/handler.ts'

export const get: Handler<typeof sports.get> = async ({ params, refuse }) => (params.id === SPORT.id ? SPORT : refuse('NOT_FOUND'))
