import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

interface Opened {
  clientSecret: string | null
  url?: string | null
}

/** What the payment page shows. */
export type CheckoutSession =
  | { step: 'waiting' }
  | { step: 'ready'; clientSecret: string }
  /** the provider's own page was opened instead */
  | { step: 'leaving' }
  /** the call failed, or its reply opens nothing */
  | { step: 'failed'; error: unknown; hasNoSecret: boolean; retry: () => void }

interface Options {
  /** Opens a session; rejects when the call fails. */
  ask: () => Promise<Opened>
  /** false while there is no price or no connection */
  isEnabled: boolean
}

/** One checkout session for as long as the page is open, never requested twice without being asked. BUY-5 */
export function useCheckoutSession({ ask, isEnabled }: Options): CheckoutSession {
  const page = useId()
  const session = useQuery({
    // a query, so that an effect that runs twice has the same session
    queryKey: ['checkout-session', page],
    queryFn: async () => sessionOf(await ask()),
    enabled: isEnabled,
    // just long enough for the effect's second run
    gcTime: 1_000,
    retry: false,
  })
  if (session.isFetching || session.isPending) return { step: 'waiting' }
  if (!session.isError) return session.data
  const { error } = session
  return { step: 'failed', error, hasNoSecret: error instanceof NoClientSecret, retry: () => void session.refetch() }
}

export class NoClientSecret extends Error {
  constructor() {
    super('No client secret available')
    this.name = 'NoClientSecret'
  }
}

/** A reply with neither a URL nor a secret is a failure. BUY-7 */
export function sessionOf({ clientSecret, url }: Opened): Extract<CheckoutSession, { step: 'ready' | 'leaving' }> {
  if (clientSecret) return { step: 'ready', clientSecret }
  if (!url || !/^https?:$/.test(URL.parse(url, location.href)?.protocol ?? '')) throw new NoClientSecret()
  location.assign(url)
  return { step: 'leaving' }
}
