import { useState } from 'react'
import { useOfflineCall, type OfflineCall } from '#app/device/use-offline-call.ts'
import { TOKEN_ROWS_FIRST } from '#app/constants.ts'
import { tokens } from '#contract/tokens.ts'
import type { TokenList } from './token-holders.ts'

export interface TokenRows extends OfflineCall<TokenList> {
  /** false while only the first rows are loaded; the counts always cover all tokens */
  isComplete: boolean
  /** the other rows could not be read */
  isRestMissing: boolean
}

const firstRows = { query: { page: 1, limit: TOKEN_ROWS_FIRST } }

/**
 * Reads the first rows of the token table, which is all that most coaches have, and the whole list if there are more. After that
 * only the whole list is read again.
 */
export function useTokenRows(isEnabled: boolean): TokenRows {
  const [hasMore, setHasMore] = useState(false)
  const first = useOfflineCall(tokens.list, firstRows, { enabled: isEnabled && !hasMore })
  const all = useOfflineCall(tokens.list, {}, { enabled: isEnabled && hasMore })
  if (!hasMore && first.data !== undefined && first.data.tokens.length < first.data.total) setHasMore(true)
  if (!hasMore || first.data === undefined) return { ...(hasMore ? all : first), isComplete: true, isRestMissing: false }
  if (all.data !== undefined) return { ...all, isComplete: true, isRestMissing: false }
  const { isUnreachable, refetch } = all
  return { ...first, isUnreachable, refetch, isComplete: false, isRestMissing: !all.isPending }
}
