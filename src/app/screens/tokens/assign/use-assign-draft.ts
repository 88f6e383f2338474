import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { isAfter } from '#app/device-clock.ts'
import {
  announceLines,
  changeAssignDraft,
  listenToOtherTabs,
  NO_DRAFT,
  readAssignDraft,
  type AssignDraft,
} from '#app/device/assign-draft.ts'
import { mergedText } from './assign-many-lines.ts'

interface StoredDraft {
  /** undefined until read from the device */
  draft: AssignDraft | undefined
  /** the same, at once after a change */
  latest: Readonly<RefObject<AssignDraft>>
  /** false if the last change could not be stored on the device */
  isStored: boolean
  /** Changes it here, and on the device, whose own changes by other tabs stay. */
  put: (change: (draft: AssignDraft) => AssignDraft) => Promise<void>
  /** Takes over what another tab has stored. */
  follow: () => Promise<void>
}

/**
 * The coach's list of players as text and lines: stored on the device with every change, and followed by the other tabs.
 * @param onOtherTab called with the user's id: another tab has stored it, or may be sending it
 */
export function useAssignDraft(userId: string | undefined, isNeeded: boolean, onOtherTab: (userId: string) => void): StoredDraft {
  const [draft, setDraft] = useState<AssignDraft>()
  const [isStored, setIsStored] = useState(true)
  const latest = useRef(NO_DRAFT)
  const isLatestStored = useRef(true)
  /** this tab's text as it was last stored: where the stored one is another, another tab has changed it */
  const ours = useRef('')
  /** the changes that are being stored, one after the other */
  const storing = useRef({ count: 0, last: Promise.resolve() })

  function show(next: AssignDraft): void {
    latest.current = next
    setDraft(next)
  }

  function showStored(stored: AssignDraft): void {
    ours.current = stored.text
    show(stored)
  }

  useEffect(() => {
    if (!isNeeded || userId === undefined || draft !== undefined) return
    let isStale = false
    const begin = (stored: AssignDraft) => {
      if (!isStale) showStored(stored)
    }
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
    if (userId === undefined || storing.current.count > 0 || !isLatestStored.current) return
    const before = latest.current
    try {
      const stored = await readAssignDraft(userId)
      if (latest.current === before && isLatestStored.current) showStored(stored)
    } catch (error) {
      console.warn('The list of another tab could not be read', error)
    }
  }

  const onStored = useEffectEvent((id: string) => {
    void follow()
    onOtherTab(id)
  })
  const onLines = useEffectEvent((lines: AssignDraft['lines']) => {
    const newer = Object.entries(lines).filter(([key, line]) => isAfter(line.at, latest.current.lines[key]?.at ?? 0))
    if (newer.length > 0) void put((before) => ({ ...before, lines: { ...before.lines, ...Object.fromEntries(newer) } }))
  })
  const isKnown = draft !== undefined
  useEffect(() => {
    if (userId === undefined || !isKnown) return
    // a run may be under way already
    queueMicrotask(() => onStored(userId))
    return listenToOtherTabs(userId, { onStored: () => onStored(userId), onLines })
  }, [userId, isKnown])

  async function put(change: (draft: AssignDraft) => AssignDraft): Promise<void> {
    show(change(latest.current))
    if (userId === undefined) return
    const { text } = latest.current
    storing.current.count += 1
    storing.current.last = storing.current.last.then(() => store(userId, change, text))
    await storing.current.last
    storing.current.count -= 1
    void follow()
  }

  /** @param text this tab's text after the change */
  async function store(id: string, change: (draft: AssignDraft) => AssignDraft, text: string): Promise<void> {
    // what could not be stored before goes with it
    const isBehind = !isLatestStored.current
    const all = latest.current
    const changed = (stored: AssignDraft): AssignDraft => {
      const next = isBehind ? { ...all, lines: { ...stored.lines, ...all.lines } } : change(stored)
      return { ...next, text: mergedText(stored.text, ours.current, isBehind ? all.text : text) }
    }
    isLatestStored.current = await changeAssignDraft(id, changed).then(
      () => true,
      () => false,
    )
    if (isLatestStored.current) ours.current = isBehind ? all.text : text
    else announceLines(id, latest.current.lines)
    setIsStored(isLatestStored.current)
  }

  return { draft, latest, isStored, put, follow }
}
