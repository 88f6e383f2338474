import type { files } from '#contract/files.ts'
import { sectionsOf } from '../content/content.ts'
import type { Handler } from '../http/handler.ts'
import { answersOf } from '../instances/answers-store.ts'
import { openFile } from '../instances/file-seal.ts'
import { mergeFile } from '../instances/merge-file.ts'
import { isOwnerOpen } from '../instances/store.ts'

/** POST assessment/answers-file: anybody may bring a file back; its seal says whose it is. ANSWERS-27 */
export const bring: Handler<typeof files.bring> = async ({ body, networkAddress, deps, refuse }) => {
  const wait = await deps.limits.take('filesPerAddress', networkAddress)
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  const opened = await openFile(deps.keys, body.file)
  if ('refusal' in opened) return refuse(opened.refusal)
  const { kid: instanceId, sub: userId, contentVersion } = opened.header
  if (!(await isOwnerOpen(deps.db, instanceId, userId))) return refuse('ANSWERS_FILE_UNKNOWN')
  const file = { ...opened.content, instanceId, userId, contentVersion }
  const merge = () => mergeFile(answersOf(deps.db, deps.clock.now), (version) => sectionsOf(version, 'en'), file)
  const run = await deps.limits.runExclusive('saves', userId, merge)
  if ('retryAfter' in run) return refuse('TOO_MANY_REQUESTS', run)
  if ('counts' in run.done) return run.done.counts
  const { refusal } = run.done
  return refusal === 'BUSY' ? refuse('TOO_MANY_REQUESTS', { retryAfter: 1 }) : refuse(refusal)
}
