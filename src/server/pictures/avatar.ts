import type { pictures } from '#contract/pictures.ts'
import type { Handler } from '../http/handler.ts'
import { pictureUrl } from './picture-paths.ts'
import { findPictureFile, isPlayerOfCoach } from './store.ts'

/** The URL of a user's picture. The refusal is the same whether the user does not exist, has no picture, or is not the caller's to see (ROLES-10). */
export const avatar: Handler<typeof pictures.avatar> = async ({ params, query, caller, refuse, deps }) => {
  const isOwn = params.id === caller.userId
  const maySee = isOwn || (caller.kind === 'coach' && (await isPlayerOfCoach(deps.db, params.id, caller.userId)))
  const file = maySee ? await findPictureFile(deps.db, params.id) : undefined
  return file === undefined ? refuse('NOT_FOUND') : { url: pictureUrl(deps, file, caller.userId, query.t) }
}
