/** /answers-file: brings a file of answers back, for the player, a coach or a parent. ANSWERS-28 */
import { useRef, useState } from 'react'
import { isApiError, staysUnknown } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import { PortalLink } from '#app/parts/portal-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import type { ReplyOf } from '#contract/endpoint.ts'
import { files } from '#contract/files.ts'
import { FILE_MAXIMUM, headerFrom, sealedPartOf, type FileHeader } from '#contract/rules/answers-file.ts'

interface Chosen {
  name: string
  /** all that is sent of the file: the rest may be somebody's mail */
  sealed: string
  header: FileHeader
}

/** Bytes. A mail that the file was pasted into may be long; nobody's mail is longer than this. */
const READ_MAXIMUM = 10_000_000

type Counts = ReplyOf<typeof files.bring>

export default function AnswersFileScreen() {
  const { t } = useTranslation('answers-file')
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const [counts, setCounts] = useState<Counts>()
  const { send, isSending } = useSend(files.bring)

  async function choose(file: File): Promise<void> {
    setChosen(undefined)
    setCounts(undefined)
    setProblem(undefined)
    const read = await readChosen(file)
    if ('problem' in read) setProblem(read.problem)
    else setChosen(read)
  }

  return (
    <Page title={t('Title')} intro={t('Lead')}>
      <div className="stack">
        {/* not while one is on its way: its outcome would be shown for the next one */}
        <ChooseFile isFirst={!chosen} isBusy={isSending} onFile={(file) => void choose(file)} />
        {problem !== undefined && <p role="alert">{t(problem)}</p>}
        {chosen && !counts && (
          <Bring chosen={chosen} isSending={isSending} bring={async () => setCounts(await send({ body: { file: chosen.sealed } }))} />
        )}
        <div role="status">{counts && <Outcome counts={counts} />}</div>
        <p className="soft">{t('Privacy')}</p>
        <PortalLink />
      </div>
    </Page>
  )
}

/** `problem` is the key of the words. Checked here first, so that a wrong file is known without a connection. */
async function readChosen(file: File): Promise<Chosen | { problem: string }> {
  if (file.size > READ_MAXIMUM) return { problem: 'NotOurs' }
  const text = await file.text().catch(() => undefined)
  if (text === undefined) return { problem: 'Unreadable' }
  const part = sealedPartOf(text)
  if (part === undefined) return { problem: 'NotOurs' }
  const header = part === 'cut' || part.sealed.length > FILE_MAXIMUM ? undefined : headerOf(part.sealed)
  return part !== 'cut' && header ? { name: file.name, sealed: part.sealed, header } : { problem: 'Damaged' }
}

function headerOf(sealed: string): FileHeader | undefined {
  const [encoded = ''] = sealed.split('.')
  try {
    return headerFrom(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    // a part is missing in the middle, so it is no base64 any more
    return undefined
  }
}

function ChooseFile({ isFirst, isBusy, onFile }: { isFirst: boolean; isBusy: boolean; onFile: (file: File) => void }) {
  const { t } = useTranslation('answers-file')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Button variant={isFirst ? 'primary' : 'plain'} isBusy={isBusy} onClick={() => input.current?.click()}>
        {t(isFirst ? 'Choose' : 'ChooseOther')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".txt,text/plain"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onFile(file)
          // otherwise choosing the same file again would fire no event
          target.value = ''
        }}
      />
    </div>
  )
}

interface BringProps {
  chosen: Chosen
  isSending: boolean
  bring: () => Promise<void>
}

function Bring({ chosen: { header, name }, isSending, bring }: BringProps) {
  const { t } = useTranslation('answers-file')
  const { unavailable, whenReachable } = useOnlineOnly()
  const [refusal, setRefusal] = useState<string>()
  const mayHaveArrived = useRef(false)

  async function bringOrSay(): Promise<void> {
    setRefusal(undefined)
    try {
      await bring()
    } catch (error) {
      mayHaveArrived.current = !isApiError(error) || staysUnknown(mayHaveArrived.current, error)
      setRefusal(`${reasonOf(error, t)} ${t(mayHaveArrived.current ? 'MayHaveArrived' : 'FileStays')}`)
    }
  }

  return (
    <>
      <p>{t('Chosen', { name, count: header.answers, day: formatDate(header.savedAt) })}</p>
      <div>
        <Button
          variant="primary"
          isBusy={isSending}
          unavailable={isSending ? undefined : unavailable}
          onClick={() => whenReachable(() => void bringOrSay())}
        >
          {t('Bring')}
        </Button>
      </div>
      {unavailable !== undefined && <p>{t('StaysChosen')}</p>}
      {refusal !== undefined && <p role="alert">{refusal}</p>}
    </>
  )
}

/** Shown instead of the texts of errors where those address the player, as anybody may bring a file, or a wrong file needs the same text. */
const REFUSALS = {
  NOT_AN_ANSWERS_FILE: 'NotOurs',
  ANSWERS_FILE_DAMAGED: 'Damaged',
  ALREADY_COMPLETED: 'Completed',
  INSTANCE_RECLAIMED: 'Reclaimed',
} as const

function reasonOf(error: unknown, t: Translation['t']): string {
  if (!isApiError(error)) return messageFor(error)
  const { kind, code = '' } = error
  if (code in REFUSALS) return t(`answers-file:${REFUSALS[code as keyof typeof REFUSALS]}`)
  // an HTTP status without a code of ours is a proxy's
  return kind === 'HTTP' && code === '' ? t('answers-file:Blocked') : messageFor(error)
}

function Outcome({ counts: { stored, there, elsewhere, refused } }: { counts: Counts }) {
  const { t } = useTranslation('answers-file')
  const lines = [
    stored > 0 ? t('Stored', { count: stored }) : t('StoredNone'),
    there > 0 && t('There', { count: there }),
    elsewhere > 0 && t('Elsewhere', { count: elsewhere }),
    refused > 0 && t('Refused', { count: refused }),
  ].filter((line) => line !== false)
  return (
    <>
      <h2>{t('DoneTitle')}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
