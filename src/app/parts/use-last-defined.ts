import { useState } from 'react'

/** The last defined value, so that a form or a payment stays on screen while its data is fetched in another language. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
