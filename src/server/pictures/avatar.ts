import type { pictures } from '#contract/pictures.ts'
import type { Handler } from '../http/handle.ts'
import { pictureUrl } from './places.ts'
import { findPictureFile, isPlayerOfCoach } from './store.ts'

/** Nobody's, an absent one and a foreign one are answered alike (ROLES-10). */
export const avatar: Handler<typeof pictures.avatar> = async ({ params, query, caller, refuse, deps }) => {
  const isOwn = params.id === caller.userId
  const isMine = isOwn || (caller.kind === 'coach' && (await isPlayerOfCoach(deps.db, params.id, caller.userId)))
  const file = isMine ? await findPictureFile(deps.db, params.id) : undefined
  return file === undefined ? refuse('NOT_FOUND') : { url: pictureUrl(deps, file, caller.userId, query.t) }
}
