import { useState } from 'react'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { paths } from '#app/paths.ts'
import { session } from '#app/session/session.ts'

/** Who comes here signed in, by Back or by the address, is led home. Looked at once, on arrival: a code that was right leads on by itself. */
export function ForGuests({ children }: { children: ReactNode }) {
  const [isSignedIn] = useState(() => session.get().status !== 'guest')
  return isSignedIn ? <Redirect to={paths.home()} replace /> : children
}
