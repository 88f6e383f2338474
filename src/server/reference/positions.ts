import type { reference } from '#contract/reference.ts'
import { SPORT } from '#contract/constants.ts'
import type { Handler } from '../http/handler.ts'

/** Positions in soccer. PROFILE-31 */
const SOCCER = [
  { id: 'goalkeeper', name: 'Goalkeeper' },
  { id: 'defence-left', name: 'Defence - Left' },
  { id: 'defence-centre', name: 'Defence - Centre' },
  { id: 'defence-right', name: 'Defence - Right' },
  { id: 'midfield-defensive', name: 'Midfield - Defensive' },
  { id: 'midfield-left', name: 'Midfield - Left' },
  { id: 'midfield-centre', name: 'Midfield - Centre' },
  { id: 'midfield-right', name: 'Midfield - Right' },
  { id: 'midfield-attacking', name: 'Midfield - Attacking' },
  { id: 'forward-left', name: 'Forward - Left' },
  { id: 'forward-centre', name: 'Forward - Centre' },
  { id: 'forward-right', name: 'Forward - Right' },
]

/** The positions of a sport; NOT_FOUND for any sport but soccer. */
export const positions: Handler<typeof reference.positions> = async ({ params, refuse }) => {
  if (params.sportId !== SPORT.id) return refuse('NOT_FOUND')
  return { positions: SOCCER }
}
