import { useState } from 'react'

/** The last value there was: a form or a payment outlives the moment in which its data is asked for in the other language. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [kept, keep] = useState(value)
  if (value !== undefined && value !== kept) keep(value)
  return value ?? kept
}
