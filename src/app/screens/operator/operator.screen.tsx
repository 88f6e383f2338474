/** /operator: what is wrong and what can be done about it, for whoever has the operator's key. OPERATE-23 */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { Parts } from '#app/ui/layout/part.tsx'
import { operatorCallWith } from './operator-call.ts'
import { Bounces } from './bounces.tsx'
import { Jobs } from './jobs.tsx'
import { KeyEntry, type LeaveReason } from './key-entry.tsx'
import { Limits } from './limits.tsx'
import { Payments } from './payments.tsx'
import { People, type AccountFilter } from './people.tsx'

export default function OperatorScreen() {
  const { t } = useTranslation('operator')
  // in this page only: after a reload the key must be typed again
  const [key, setKey] = useState<string>()
  const [left, setLeft] = useState<LeaveReason>()
  const leave = useCallback((how: LeaveReason) => {
    setKey(undefined)
    setLeft(how)
  }, [])

  // a browser may keep a page that was left, and show it unchanged when somebody goes back
  useEffect(() => {
    const forget = () => flushSync(() => setKey(undefined))
    addEventListener('pagehide', forget)
    return () => removeEventListener('pagehide', forget)
  }, [])

  return (
    <Page title={t('OperatorTitle')} intro={t(key === undefined ? 'KeyLead' : 'OperatorLead')} width={key === undefined ? 'text' : 'wide'}>
      {key === undefined ? <KeyEntry left={left} onKey={setKey} /> : <SignedIn operatorKey={key} onLeave={leave} />}
    </Page>
  )
}

interface SignedInProps {
  operatorKey: string
  onLeave: (how: LeaveReason) => void
}

function SignedIn({ operatorKey, onLeave }: SignedInProps) {
  const { t } = useTranslation('operator')
  const [refreshKey, setRefreshKey] = useState(0)
  const [filter, setFilter] = useState<AccountFilter>({})
  const call = useMemo(() => operatorCallWith(operatorKey, () => onLeave('refused')), [operatorKey, onLeave])
  const parts = { call, refreshKey }

  // the form that had the focus is gone
  useEffect(() => document.querySelector<HTMLElement>('h1')?.focus(), [])

  function showPerson(userId: string): void {
    setFilter({ userId })
    document.querySelector<HTMLElement>('#people')?.focus()
  }

  return (
    <Parts>
      <div className="row">
        <Button onClick={() => setRefreshKey((before) => before + 1)}>{t('LookAgain')}</Button>
        <Button variant="quiet" onClick={() => onLeave('signed-out')}>
          {t('SignOut')}
        </Button>
      </div>
      <Jobs {...parts} />
      <Bounces {...parts} />
      <Payments {...parts} onPerson={showPerson} />
      <Limits {...parts} />
      <People {...parts} filter={filter} onFilter={setFilter} />
    </Parts>
  )
}
