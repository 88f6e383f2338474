import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { inTime, keepsSession } from '#app/session/stored-copy.ts'

/** Where the browser stores nothing at all, a reload signs out: said before the sign-in, as afterwards nothing is left to tell it by. SESSION-3 */
export function NotKept() {
  const { t } = useTranslation('auth')
  const [isKept, setIsKept] = useState(true)
  useEffect(() => {
    const kept = keepsSession()
    void inTime(kept).then(setIsKept)
    // a database that responds later keeps the session all the same
    void kept.then(setIsKept)
  }, [])
  return (
    <p role="status" className={isKept ? undefined : 'notice'}>
      {!isKept && t('NotKept')}
    </p>
  )
}
