import type { reference } from '#contract/reference.ts'
import { SPORT } from '#contract/constants.ts'
import type { Handler } from '../http/handler.ts'

export const sports: Handler<typeof reference.sports> = async () => ({ data: [SPORT] })
