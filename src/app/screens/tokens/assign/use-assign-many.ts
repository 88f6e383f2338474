import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { reader } from '#app/api/session-port.ts'
import { call } from '#app/api/call.ts'
import { REFRESH_IN_RUN_MS } from '#app/constants.ts'
import { isAfter } from '#app/device-clock.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { noteChanges } from '#app/api/query-port.ts'
import {
  changeAssignDraft,
  NO_DRAFT,
  onStoredElsewhere,
  readAssignDraft,
  type AssignDraft,
  type AssignLine,
} from '#app/device/assign-draft.ts'
import { isTabLockHeld, untilTabLockIsFree, withFreeTabLock } from '#app/session/tab-lock.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { sentSince } from './assign-many-lines.ts'
import { sendList } from './assign-many-run.ts'

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
}

const ELSEWHERE: AssignRun = { accounts: new Set(), done: 0, startedAt: 0, isElsewhere: true }

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
  const [draft, setDraft] = useState<AssignDraft>()
  const [isStored, setIsStored] = useState(true)
  const [run, setRun] = useState<AssignRun>()
  const latest = useRef(NO_DRAFT)
  const isLatestStored = useRef(true)
  /** the stored text as this tab knows it: another one is of another tab */
  const storedText = useRef('')
  /** how many changes are being stored */
  const storing = useRef(0)
  const isStopped = useRef(false)
  const isRunning = useRef(false)

  function show(next: AssignDraft): void {
    latest.current = next
    setDraft(next)
  }

  function showStored(stored: AssignDraft): void {
    storedText.current = stored.text
    show(stored)
  }

  useEffect(() => {
    if (!isNeeded || userId === undefined || draft !== undefined) return
    let isStale = false
    const begin = (stored: AssignDraft) => !isStale && showStored(stored)
    readAssignDraft(userId).then(begin, (error: unknown) => {
      console.warn('The device cannot be read', error)
      begin(NO_DRAFT)
    })
    return () => {
      isStale = true
    }
  }, [isNeeded, userId, draft])

  /** Takes over what another tab has stored. What is being stored here is in it once that is done, and this is called again. */
  async function follow(): Promise<void> {
    if (userId === undefined || storing.current > 0 || !isLatestStored.current) return
    const before = latest.current
    try {
      const stored = await readAssignDraft(userId)
      if (latest.current === before && isLatestStored.current) showStored(stored)
    } catch (error) {
      console.warn('The list of another tab could not be read', error)
    }
  }

  /** Shows that another tab is sending the list, until it is over or that tab is gone. */
  async function followRun(id: string): Promise<void> {
    if (isRunning.current || !(await isTabLockHeld(lockOf(id))) || isRunning.current) return
    setRun(ELSEWHERE)
    await untilTabLockIsFree(lockOf(id))
    setRun((now) => (now?.isElsewhere ? undefined : now))
    await follow()
  }

  const onElsewhere = useEffectEvent((id: string) => {
    void follow()
    void followRun(id)
  })
  const isKnown = draft !== undefined
  useEffect(() => {
    if (userId === undefined || !isKnown) return
    // a run may be under way already
    queueMicrotask(() => onElsewhere(userId))
    return onStoredElsewhere(() => onElsewhere(userId))
  }, [userId, isKnown])

  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  async function put(change: (draft: AssignDraft) => AssignDraft): Promise<void> {
    show(change(latest.current))
    if (userId === undefined) return
    storing.current += 1
    const [wasStored, before] = [isLatestStored.current, storedText.current]
    const changed = (stored: AssignDraft) => {
      // what could not be stored before goes with it
      const next = wasStored ? change(stored) : { ...latest.current, lines: { ...stored.lines, ...latest.current.lines } }
      const text = stored.text === storedText.current || next.text === stored.text ? next.text : joined(stored.text, next.text)
      storedText.current = text
      return { ...next, text }
    }
    isLatestStored.current = await changeAssignDraft(userId, changed).then(
      () => true,
      () => false,
    )
    if (!isLatestStored.current) storedText.current = before
    setIsStored(isLatestStored.current)
    storing.current -= 1
    void follow()
  }

  async function send(accounts: readonly string[]): Promise<void> {
    // a ref: a second tap may come before the next render
    if (isRunning.current || accounts.length === 0 || userId === undefined) return
    isRunning.current = true
    isStopped.current = false
    try {
      const sent = await withFreeTabLock(lockOf(userId), async () => {
        await sendAll(accounts).finally(() => setRun(undefined))
        return true
      })
      if (!sent) void followRun(userId)
    } finally {
      isRunning.current = false
    }
  }

  async function sendAll(accounts: readonly string[]): Promise<void> {
    setRun({ accounts: new Set(accounts), done: 0, startedAt: Date.now(), isElsewhere: false })
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
        await put((before) => ({ ...before, lines: { ...before.lines, [key]: line } }))
        if (line.outcome === 'sent') noteSent()
      },
      mayContinue: () => !isStopped.current && reader.id() === userId,
      randomId: () => crypto.randomUUID(),
      now: Date.now,
    })
    noteChanges(instancesForCoach.allocate)
  }

  return {
    // filled in here, as the only assessment may load after the draft
    draft: draft?.assessmentId === '' ? { ...draft, assessmentId: onlyAssessmentId } : draft,
    isStored,
    run,
    change: (change) => void put((before) => ({ ...before, ...change })),
    send,
    stop: () => {
      isStopped.current = true
    },
    noteRead: (at) => {
      if (Object.values(latest.current.lines).some((line) => isReadBy(line, at))) void put((before) => withRead(before, at))
    },
    clear: (tokensReadAt) =>
      void put(({ assessmentId, language, lines }) => ({ ...NO_DRAFT, assessmentId, language, lines: sentSince(lines, tokensReadAt) })),
  }
}

/** Two tabs’ texts, when neither knew of the other's: an address in both is shown as listed twice. */
const joined = (...texts: string[]) => texts.filter((text) => text.trim() !== '').join('\n')

/** Whether it is to be noted of a line that the tokens were read after it. Later the device's clock may say otherwise. */
const isReadBy = (line: AssignLine, at: number) => line.readAt === undefined && !isAfter(line.at, at)

function withRead(draft: AssignDraft, at: number): AssignDraft {
  const noted = (line: AssignLine): AssignLine => (isReadBy(line, at) ? { ...line, readAt: at } : line)
  return { ...draft, lines: Object.fromEntries(Object.entries(draft.lines).map(([key, line]) => [key, noted(line)])) }
}
