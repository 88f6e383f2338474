import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Part } from '#app/ui/layout/part.tsx'
import type { OperatorCall } from './operator-call.ts'
import type { OperatorRead } from './use-operator-read.ts'

/** What every part of the page is given. */
export interface PartProps {
  call: OperatorCall
  /** changes when everything is to be read again */
  refreshKey: number
}

interface Props {
  id: string
  title: string
  read: OperatorRead<unknown>
  /** what chooses what is read */
  search?: ReactNode
  children: ReactNode
}

/** A part that is read from the server: says so while it loads for the first time, and shows a failure in its place. */
export function ReadPart({ id, title, read: { data, failure }, search, children }: Props) {
  const { t } = useTranslation('operator')
  return (
    <Part id={id} title={title}>
      {search}
      {failure !== undefined && <p role="alert">{t('ReadFailed', { reason: failure })}</p>}
      {data === undefined ? failure === undefined && <p role="status">{t('Reading')}</p> : children}
    </Part>
  )
}
