import { useEffect, useRef, useState } from 'react'
import { reader } from '#app/api/session-port.ts'
import { call } from '#app/api/call.ts'
import { REFRESH_IN_RUN_MS } from '#app/constants.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { invalidateChangedBy } from '#app/api/query-port.ts'
import { announceSending, NO_DRAFT, type AssignDraft, type AssignLine } from '#app/device/assign-draft.ts'
import { isTabLockHeld, untilTabLockIsFree, withFreeTabLock } from '#app/session/tab-lock.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { isReadBy, sentSince, withRead } from './assign-many-lines.ts'
import { sendList } from './assign-many-run.ts'
import { useAssignDraft } from './use-assign-draft.ts'

/** Held while a list is sent: a tab that sends the same list again would say of each player that they have the assessment already. */
const lockOf = (userId: string) => `touchline-assign-run-${userId}`

/** The sending of a list, while it lasts. */
export interface AssignRun {
  accounts: ReadonlySet<string>
  /** how many have an outcome */
  done: number
  /** epoch ms; tells this run's outcomes from earlier ones */
  startedAt: number
  /** in another tab: nothing of the list can be changed here meanwhile */
  isElsewhere: boolean
  /** stopped by the coach; it lasts until the lines being sent have an outcome */
  isStopping: boolean
}

const ELSEWHERE: AssignRun = { accounts: new Set(), done: 0, startedAt: 0, isElsewhere: true, isStopping: false }

export interface AssignMany {
  /** undefined until read from the device */
  draft: AssignDraft | undefined
  /** false if the last change could not be stored on the device */
  isStored: boolean
  run: AssignRun | undefined
  /** a failure ended the last run before every line was tried; false once the list was changed in this tab */
  isCutShort: boolean
  change: (change: Partial<AssignDraft>) => void
  send: (accounts: readonly string[]) => Promise<void>
  /** stops after the lines being sent; the others stay in the list */
  stop: () => void
  /** Notes which lines are older than the tokens, read at this time (epoch ms). */
  noteRead: (at: number) => void
  /** empties the list, but remembers what was sent since the tokens were read, as they still count it as available */
  clear: (tokensReadAt: number) => void
}

/**
 * The coach's list of players: stored on the device with every change, followed by the other tabs, and sent by `send`, from one tab at a
 * time. Sending continues while the dialog is closed but stops when the coach leaves the dashboard, as the outcome shows only there.
 */
export function useAssignMany(userId: string | undefined, isNeeded: boolean, onlyAssessmentId = ''): AssignMany {
  const [run, setRun] = useState<AssignRun>()
  const [isCutShort, setIsCutShort] = useState(false)
  const isStopped = useRef(false)
  const isRunning = useRef(false)
  const { draft, latest, isStored, put, follow } = useAssignDraft(userId, isNeeded, (id) => void followRun(id))

  /** Shows that another tab is sending the list, until it is over or that tab is gone. */
  async function followRun(id: string): Promise<void> {
    if (isRunning.current || !(await isTabLockHeld(lockOf(id))) || isRunning.current) return
    setIsCutShort(false)
    setRun(ELSEWHERE)
    await untilTabLockIsFree(lockOf(id))
    setRun((now) => (now?.isElsewhere ? undefined : now))
    await follow()
  }

  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  async function send(accounts: readonly string[]): Promise<void> {
    // a ref: a second tap may come before the next render
    if (isRunning.current || accounts.length === 0 || userId === undefined) return
    isRunning.current = true
    isStopped.current = false
    const running = withFreeTabLock(lockOf(userId), async () => {
      await sendAll(accounts).finally(() => setRun(undefined))
      return true
    })
    const hasRun = await running.finally(() => {
      isRunning.current = false
    })
    if (!hasRun) void followRun(userId)
  }

  async function sendAll(accounts: readonly string[]): Promise<void> {
    setRun({ accounts: new Set(accounts), done: 0, startedAt: Date.now(), isElsewhere: false, isStopping: false })
    setIsCutShort(false)
    announceSending()
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
      invalidateChangedBy(instancesForCoach.allocate)
    }
    const ended = await sendList(assessmentId, accounts, lines, {
      allocate: (playerEmail, operationId) => {
        const playerName = names.get(playerEmail)
        const body = { playerEmail, assessmentId, operationId, language, ...(playerName ? { playerName } : {}) }
        return call(instancesForCoach.allocate, { body }, { userId })
      },
      store: async (key, line) => {
        if (line.outcome !== 'unknown' || line.code !== undefined) setRun((now) => now && { ...now, done: now.done + 1 })
        const isOthers = ({ outcome }: AssignLine) => outcome === 'sent' && lines[key]?.outcome !== 'sent'
        await put((before) => {
          const known = before.lines[key]
          // another tab has sent it, in a browser in which tabs cannot tell each other that they send
          if (known && line.outcome !== 'sent' && known.operationId !== line.operationId && isOthers(known)) return before
          return { ...before, lines: { ...before.lines, [key]: line } }
        })
        if (line.outcome === 'sent') noteSent()
      },
      mayContinue: () => !isStopped.current && reader.id() === userId,
      randomId: () => crypto.randomUUID(),
      now: Date.now,
    })
    setIsCutShort(ended.isCutShort)
    invalidateChangedBy(instancesForCoach.allocate)
  }

  return {
    // filled in here, as the only assessment may load after the draft
    draft: draft?.assessmentId === '' ? { ...draft, assessmentId: onlyAssessmentId } : draft,
    isStored,
    run,
    isCutShort,
    change: (change) => {
      setIsCutShort(false)
      void put((before) => ({ ...before, ...change }))
    },
    send,
    stop: () => {
      isStopped.current = true
      setRun((now) => now && { ...now, isStopping: true })
    },
    noteRead: (at) => {
      if (Object.values(latest.current.lines).some((line) => isReadBy(line, at))) void put((before) => withRead(before, at))
    },
    clear: (tokensReadAt) => {
      setIsCutShort(false)
      void put(({ assessmentId, language, lines }) => ({ ...NO_DRAFT, assessmentId, language, lines: sentSince(lines, tokensReadAt) }))
    },
  }
}
