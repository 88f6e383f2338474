/** /answers-file: brings a file of answers back, for the player, a coach or a parent. ANSWERS-28 */
import { useRef, useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import type { ReplyOf } from '#contract/endpoint.ts'
import { files } from '#contract/files.ts'
import { FILE_MAXIMUM, headerFrom, sealedPartOf, type FileHeader } from '#contract/rules/answers-file.ts'

interface Chosen {
  name: string
  text: string
  header: FileHeader
}

type Counts = ReplyOf<typeof files.bring>

export default function AnswersFileScreen() {
  const { t } = useTranslation('answers-file')
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const [counts, setCounts] = useState<Counts>()

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
        <ChooseFile isFirst={!chosen} onFile={(file) => void choose(file)} />
        {problem !== undefined && <p role="alert">{t(problem)}</p>}
        {chosen && !counts && <Bring chosen={chosen} onStored={setCounts} />}
        <div role="status">{counts && <Outcome counts={counts} />}</div>
        <p className="soft">{t('Privacy')}</p>
      </div>
    </Page>
  )
}

/** `problem` is the key of the words. Looked at here first, so that a wrong file is known without a connection. */
async function readChosen(file: File): Promise<Chosen | { problem: string }> {
  if (file.size > FILE_MAXIMUM) return { problem: 'NotOurs' }
  const text = await file.text().catch(() => undefined)
  if (text === undefined) return { problem: 'Unreadable' }
  const part = sealedPartOf(text)
  if (part === undefined) return { problem: 'NotOurs' }
  const header = part === 'cut' ? undefined : headerOf(part.sealed)
  return header ? { name: file.name, text, header } : { problem: 'Damaged' }
}

function headerOf(sealed: string): FileHeader | undefined {
  const [encoded = ''] = sealed.split('.')
  return headerFrom(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')))
}

function ChooseFile({ isFirst, onFile }: { isFirst: boolean; onFile: (file: File) => void }) {
  const { t } = useTranslation('answers-file')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Button look={isFirst ? 'primary' : 'plain'} onClick={() => input.current?.click()}>
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

function Bring({ chosen, onStored }: { chosen: Chosen; onStored: (counts: Counts) => void }) {
  const { t } = useTranslation(['answers-file', 'ui'])
  const { send, isSending } = useSend(files.bring)
  const { unavailable, whenReachable } = useOnlineOnly()
  const [refusal, setRefusal] = useState<string>()

  async function bring(): Promise<void> {
    setRefusal(undefined)
    try {
      onStored(await send({ body: { file: chosen.text } }))
    } catch (error) {
      const code = isApiError(error) ? (error.code ?? '') : ''
      setRefusal(code in REFUSALS ? t(`answers-file:${REFUSALS[code as keyof typeof REFUSALS]}`) : messageFor(error))
    }
  }

  const { header, name } = chosen
  return (
    <>
      <p>{t('answers-file:Chosen', { name, count: header.answers, day: formatDate(header.savedAt) })}</p>
      <div>
        <Button
          look="primary"
          isBusy={isSending}
          unavailable={isSending ? undefined : unavailable}
          onClick={() => whenReachable(() => void bring())}
        >
          {t('answers-file:Bring')}
        </Button>
      </div>
      {unavailable !== undefined && <p>{t('answers-file:StaysChosen')}</p>}
      {refusal !== undefined && (
        <p role="alert">
          {refusal} {t('answers-file:FileStays')}
        </p>
      )}
    </>
  )
}

/** Said of a file here, whoever brings it: the texts of errors speak to the player. */
const REFUSALS = {
  NOT_AN_ANSWERS_FILE: 'NotOurs',
  ANSWERS_FILE_DAMAGED: 'Damaged',
  ANSWERS_FILE_ELSEWHERE: 'OtherServer',
  ANSWERS_FILE_UNKNOWN: 'Unknown',
  ALREADY_COMPLETED: 'Completed',
  INSTANCE_RECLAIMED: 'Reclaimed',
  CONTENT_VERSION_MISMATCH: 'OtherVersion',
} as const

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
