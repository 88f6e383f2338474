import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLastDefined } from '#app/parts/use-last-defined.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { toast } from '#app/ui/feedback/toast.ts'
import { AssignManyDialog } from './assign-many.dialog.tsx'
import { linesOf, resultText, sentAndLeft, tokensLeft } from './assign-many-lines.ts'
import type { Offer } from './assign-token.dialog.tsx'
import type { TokenList } from '#app/screens/tokens/token-holders.ts'
import { useAssignMany } from './use-assign-many.ts'

interface Props {
  /** undefined until loaded */
  list: TokenList | undefined
  /** epoch ms when the list was read */
  at: number | undefined
  offer: Offer
}

/** The button that opens the dialog for inviting many. The list can be written offline; sending needs the API (ASSIGN-26). */
export function AssignMany({ offer, ...tokens }: Props) {
  const { t } = useTranslation(['tokens', 'ui'])
  const { user } = useSession()
  // the dialog stays while the tokens are read again
  const tokenList = useLastDefined(tokens.list)
  const at = useLastDefined(tokens.at) ?? 0
  const [isOpen, setIsOpen] = useState(false)
  const assessments = offer.assessments ?? []
  const only = assessments.length === 1 ? assessments[0]?.assessmentId : undefined
  const list = useAssignMany(useReaderId(), tokenList !== undefined, only)
  const { draft } = list
  const addresses = useMemo(
    () => (draft && tokenList ? linesOf(draft, user?.email ?? '', { list: tokenList, at }) : []),
    [draft, user?.email, tokenList, at],
  )
  const isSending = list.run !== undefined && !list.run.isElsewhere
  useOutcomeToast(isSending, isOpen, resultText(addresses, t))
  const isKnown = draft !== undefined
  const noteRead = useEffectEvent(list.noteRead)
  useEffect(() => {
    if (isKnown && at > 0) noteRead(at)
  }, [isKnown, at])

  function close(): void {
    setIsOpen(false)
    // everything was sent
    if (!list.run && addresses.length > 0 && sentAndLeft(addresses).left === 0) list.clear(at)
  }

  return (
    <>
      <Button
        unavailable={tokenList ? undefined : t('ui:Loading')}
        isReasonShown={false}
        onClick={() => setIsOpen(tokenList !== undefined)}
      >
        {t('AssignMany')}
      </Button>
      {isOpen && tokenList && (
        <AssignManyDialog
          list={list}
          addresses={addresses}
          assessments={assessments}
          available={draft ? tokensLeft(draft, { list: tokenList, at }) : tokenList.available}
          onClear={() => list.clear(at)}
          onClose={close}
        />
      )}
    </>
  )
}

/** A toast with the outcome, if the dialog was closed while sending. */
function useOutcomeToast(isRunning: boolean, isOpen: boolean, text: string): void {
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !isRunning && !isOpen) toast(text)
    wasRunning.current = isRunning
  }, [isRunning, isOpen, text])
}
