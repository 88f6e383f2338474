import { useEffect, useRef, useState } from 'react'
import { reader } from '#app/api/session-port.ts'
import { call } from '#app/api/call.ts'
import { REFRESH_IN_RUN_MS } from '#app/constants.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { noteChanges } from '#app/api/query-port.ts'
import { onStoredElsewhere, readAssignDraft, storeAssignDraft, type AssignDraft } from '#app/device/assign-draft.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { sentSince } from './assign-many-lines.ts'
import { sendList } from './assign-many-run.ts'

const EMPTY: AssignDraft = { assessmentId: '', text: '', language: undefined, lines: {} }

/** The sending of a list, while it lasts. */
export interface AssignRun {
  accounts: ReadonlySet<string>
  /** how many have an outcome */
  done: number
  /** epoch ms; tells this run's outcomes from earlier ones */
  startedAt: number
}

export interface AssignMany {
  /** undefined until read from the device */
  draft: AssignDraft | undefined
  /** false if the last change could not be stored on the device */
  isStored: boolean
  run: AssignRun | undefined
  change: (change: Partial<AssignDraft>) => void
  send: (accounts: readonly string[]) => Promise<void>
  /** stops after the lines being sent; the others stay in the list */
  stop: () => void
  /** empties the list, but remembers what was sent since the tokens were read, as they still count it as available */
  clear: (tokensReadAt: number) => void
}

/**
 * The coach's list of players: stored on the device with every change, followed by the other tabs, and sent by `send`. Sending continues while the dialog is
 * closed but stops when the coach leaves the dashboard, as the outcome shows only there.
 */
export function useAssignMany(userId: string | undefined, isNeeded: boolean, onlyAssessmentId = ''): AssignMany {
  const [draft, setDraft] = useState<AssignDraft>()
  const [isStored, setIsStored] = useState(true)
  const [run, setRun] = useState<AssignRun>()
  const latest = useRef(EMPTY)
  const isLatestStored = useRef(true)
  const isStopped = useRef(false)
  const isRunning = useRef(false)

  useEffect(() => {
    if (!isNeeded || userId === undefined || draft !== undefined) return
    let isStale = false
    const begin = (stored: AssignDraft | undefined) => {
      if (isStale) return
      latest.current = stored ?? EMPTY
      setDraft(latest.current)
    }
    readAssignDraft(userId).then(begin, (error: unknown) => {
      console.warn('The device cannot be read', error)
      begin(undefined)
    })
    return () => {
      isStale = true
    }
  }, [isNeeded, userId, draft])

  const isRead = draft !== undefined
  useEffect(() => {
    if (userId === undefined || !isRead) return
    return onStoredElsewhere(() => {
      const before = latest.current
      const follow = (stored = EMPTY) => {
        // changed here meanwhile, or not on the disk
        if (latest.current !== before || !isLatestStored.current) return
        // while this tab sends, its outcomes are the newer ones
        latest.current = isRunning.current ? { ...stored, lines: { ...stored.lines, ...before.lines } } : stored
        setDraft(latest.current)
      }
      readAssignDraft(userId).then(follow, (error: unknown) => console.warn('The list of another tab could not be read', error))
    })
  }, [userId, isRead])

  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  async function put(next: AssignDraft): Promise<void> {
    latest.current = next
    setDraft(next)
    if (userId === undefined) return
    const isEmpty = next.text.trim() === '' && Object.keys(next.lines).length === 0
    const noteStored = (isNow: boolean) => {
      isLatestStored.current = isNow
      setIsStored(isNow)
    }
    await storeAssignDraft(userId, isEmpty ? undefined : next).then(
      () => noteStored(true),
      () => noteStored(false),
    )
  }

  async function send(accounts: readonly string[]): Promise<void> {
    // a ref: a second tap may come before the next render
    if (isRunning.current || accounts.length === 0) return
    isRunning.current = true
    isStopped.current = false
    setRun({ accounts: new Set(accounts), done: 0, startedAt: Date.now() })
    const { language = currentLanguage(), lines } = latest.current
    const assessmentId = latest.current.assessmentId || onlyAssessmentId
    // reversed, so that a duplicate address has the name of its first line
    const names = new Map(
      entriesOf(latest.current.text)
        .toReversed()
        .map(({ text, name }) => [normalEmail(text), name]),
    )
    // the dashboard is refreshed while sending, but not after every line
    let readAt = Number.NEGATIVE_INFINITY
    const noteSent = () => {
      if (performance.now() - readAt < REFRESH_IN_RUN_MS) return
      readAt = performance.now()
      noteChanges(instancesForCoach.allocate)
    }
    await sendList(assessmentId, accounts, lines, {
      allocate: (playerEmail, operationId) => {
        const playerName = names.get(playerEmail)
        const body = { playerEmail, assessmentId, operationId, language, ...(playerName ? { playerName } : {}) }
        return call(instancesForCoach.allocate, { body }, { userId })
      },
      store: async (key, line) => {
        if (line.outcome !== 'unknown' || line.code !== undefined) setRun((now) => now && { ...now, done: now.done + 1 })
        await put({ ...latest.current, lines: { ...latest.current.lines, [key]: line } })
        if (line.outcome === 'sent') noteSent()
      },
      mayContinue: () => !isStopped.current && reader.id() === userId,
      randomId: () => crypto.randomUUID(),
      now: Date.now,
    })
    noteChanges(instancesForCoach.allocate)
    isRunning.current = false
    setRun(undefined)
  }

  return {
    // filled in here, as the only assessment may load after the draft
    draft: draft?.assessmentId === '' ? { ...draft, assessmentId: onlyAssessmentId } : draft,
    isStored,
    run,
    change: (change) => void put({ ...latest.current, ...change }),
    send,
    stop: () => {
      isStopped.current = true
    },
    clear: (tokensReadAt) => {
      const { assessmentId, language, lines } = latest.current
      void put({ ...EMPTY, assessmentId, language, lines: sentSince(lines, tokensReadAt) })
    },
  }
}
