import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'

interface OpenReply {
  clientSecret: string | null
  sessionId: string
  url?: string | null
}

/** What the payment page shows. */
export type CheckoutSession =
  | { step: 'waiting' }
  | { step: 'ready'; clientSecret: string; sessionId: string }
  /** the provider's own page was opened instead */
  | { step: 'leaving' }
  /** the call failed, or its reply has neither a secret nor a URL */
  | { step: 'failed'; error: unknown; hasNoSecret: boolean; retry: () => void }

interface Options {
  /** opens a session; rejects if the call fails */
  open: () => Promise<OpenReply>
  /** false while there is no price or no connection */
  isEnabled: boolean
}

/** Opens one checkout session per visit of the page; another only by `retry`. BUY-5 */
export function useCheckoutSession({ open, isEnabled }: Options): CheckoutSession {
  const page = useId()
  const isLeft = useIsGone()
  const session = useQuery({
    // a query, not an effect: React runs effects twice in development, which would open two sessions
    queryKey: ['checkout-session', page],
    queryFn: async () => sessionOf(await open(), (url) => isLeft.current || location.assign(url)),
    enabled: isEnabled,
    // only until the second run; a later visit opens a new session
    gcTime: 1_000,
    retry: false,
  })
  if (session.isFetching || session.isPending) return { step: 'waiting' }
  if (!session.isError) return session.data
  const { error } = session
  return { step: 'failed', error, hasNoSecret: error instanceof NoClientSecret, retry: () => void session.refetch() }
}

class NoClientSecret extends Error {
  constructor() {
    super('No client secret available')
    this.name = 'NoClientSecret'
  }
}

/**
 * Leaves for the provider's page if the reply has no secret but a URL. Throws NoClientSecret if it has neither. BUY-7
 * @param leaveFor opens the page, unless the person has left the screen
 */
export function sessionOf(
  { clientSecret, sessionId, url }: OpenReply,
  leaveFor: (url: string) => void,
): Extract<CheckoutSession, { step: 'ready' | 'leaving' }> {
  if (clientSecret) return { step: 'ready', clientSecret, sessionId }
  if (!url || !/^https?:$/.test(URL.parse(url, location.href)?.protocol ?? '')) throw new NoClientSecret()
  leaveFor(url)
  return { step: 'leaving' }
}
