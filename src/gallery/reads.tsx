import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { readKey } from '#app/api/use-call.ts'
import { pictures } from '#contract/pictures.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { users } from '#contract/users.ts'
import { SOMEBODY } from './samples.ts'

interface Props {
  /** URL of the sample person's picture */
  picture?: string
  children: ReactNode
}

/** Preloads the sample person's profile and picture, which the server would refuse without a session. */
export function Reads({ picture = '', children }: Props) {
  const [client] = useState(() => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
    const request = { params: { id: SOMEBODY.userId } }
    for (const language of LANGUAGES) {
      client.setQueryData(readKey(users.get, request, language, SOMEBODY.userId), SOMEBODY)
      client.setQueryData(readKey(pictures.avatar, request, language, SOMEBODY.userId), { url: picture })
    }
    return client
  })
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
