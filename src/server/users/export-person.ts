import type { usersForOperator } from '#contract/users.operator.ts'
import type { Handler } from '../http/handler.ts'
import { exportPersonData } from './export-store.ts'
import { findUser } from './store.ts'

/** Everything that is stored about a person, for their request under data protection law (PRIVACY-12). */
export const exportPerson: Handler<typeof usersForOperator.exportPerson> = async ({ params, refuse, deps }) => {
  const user = await findUser(deps.db, params.userId)
  if (!user || user.erasedAt) return refuse('NOT_FOUND')
  return { userId: user.id, at: deps.clock.now().toISOString(), data: await exportPersonData(deps.db, user) }
}
