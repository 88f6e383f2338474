import { useState } from 'react'

/** The last defined value: a form or a payment stays while its data is fetched in the other language. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [kept, keep] = useState(value)
  if (value !== undefined && value !== kept) keep(value)
  return value ?? kept
}
