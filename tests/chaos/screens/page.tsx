import '#app/api/zod-jitless.ts'
import React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { network, watchNetwork } from '#app/api/network.ts'
import { loadDiscard, loadOutbox, loadStatus } from '#app/device/lazy.ts'
import { startOffline } from '#app/device/start.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import { i18n, loadAreas, startI18n } from '#app/i18n/i18n.ts'
import { questionnaireOf, type Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { SaveStatus } from '#app/screens/assessment/sending/save-status.tsx'
import { DeviceState } from '#app/screens/player/device-state.tsx'
import { pendingClearings } from '#app/session/pending-clearing.ts'
import { privateStore, type WaitingCounts } from '#app/session/private-store.ts'
import { begin, session, startSession, watchSessionInOtherTabs } from '#app/session/session.ts'
import { signOut } from '#app/session/sign-out.ts'
import { whenIdle } from '#app/ui/browser/after-paint.ts'

/**
 * The portal as one page of the model runs it: `bundle.ts` makes it a single script, which each page evaluates in a window of its own.
 * It starts as `main.tsx` does. Screens are rendered to text by React's server renderer, as there is no DOM here;
 * what a screen does in an effect is done by the functions below, named after the screen's own.
 */

// the server renderer refuses a store without a server snapshot; these screens have one state only
const { useSyncExternalStore } = React
Object.assign(React, {
  useSyncExternalStore: (subscribe: (changed: () => void) => () => void, get: () => unknown) => useSyncExternalStore(subscribe, get, get),
})

/** As in `main.tsx`. */
export async function open(): Promise<void> {
  await Promise.all([startI18n(), startSession()])
  await loadAreas(['assessment', 'player', 'parts', 'errors'])
  whenIdle(() => {
    watchNetwork()
    watchSessionInOtherTabs()
    void signedIn().then(startOffline)
  })
  session.subscribe(onSessionChange)
}

function signedIn(): Promise<void> {
  return new Promise((resolve) => {
    if (session.get().status !== 'guest' || pendingClearings().length > 0) return resolve()
    const stop = session.subscribe(() => {
      if (session.get().status === 'guest') return
      stop()
      resolve()
    })
  })
}

/** The test screen, while it is on screen: the instance, the questionnaire of whoever is signed in, and how to unmount it. */
let test: { instanceId: string; questionnaire: Questionnaire; unmount: () => void } | undefined
/** The dashboard's statuses, while it is on screen. */
let home: { userId: string; statuses: DeviceStatus[]; unmount: () => void } | undefined

export const userId = (): string | undefined => session.get().user?.id
export const status = () => session.get().status
export const shown = (): Questionnaire | undefined => test?.questionnaire
export const dashboard = (): { userId: string; statuses: DeviceStatus[] } | undefined => home

export function openTest(instanceId: string): void {
  leave()
  const id = userId()
  if (id === undefined) return
  const questionnaire = questionnaireOf({ userId: id, instanceId }, 'en')
  const unsubscribe = questionnaire.subscribe(() => undefined)
  test = {
    instanceId,
    questionnaire,
    // as the test screen's effects do
    unmount: () => {
      unsubscribe()
      void questionnaire.send()
    },
  }
}

export function openHome(): void {
  leave()
  const id = userId()
  if (id === undefined) return
  let isOver = false
  let stop = () => {
    isOver = true
  }
  const here = { userId: id, statuses: [] as DeviceStatus[], unmount: () => stop() }
  home = here
  void loadStatus().then(({ watchStatuses }) => {
    if (isOver) return
    stop = watchStatuses(id, (statuses) => {
      here.statuses = statuses ?? []
    })
  })
}

/** By a link or the browser's own button. */
export function leave(): void {
  test?.unmount()
  home?.unmount()
  test = home = undefined
}

export async function saveAndExit(): Promise<void> {
  await test?.questionnaire.saveAndExit()
  openHome()
}

/** The shell sends a guest to the sign-in; for another person each screen is mounted anew. */
function onSessionChange(): void {
  const id = userId()
  if (session.get().status === 'guest') leave()
  else if (test && test.questionnaire.key.userId !== id) openTest(test.instanceId)
  else if (home && home.userId !== id) openHome()
}

export const signIn = begin

/**
 * As the sign-out dialog: leaves at once if nothing is unsent, else asks. Closed with its screen, if somebody else signs in.
 * @param onLeaving called before the person is signed out
 */
export async function signOutAs(
  choose: (found: WaitingCounts | 'unknown') => Promise<'send' | 'keep' | 'discard' | 'stay'>,
  onLeaving: () => void = () => undefined,
): Promise<void> {
  const whose = userId()
  let hasAsked = false
  for (;;) {
    const found = await privateStore()
      .then((store) => store.countWaiting())
      .catch(() => 'unknown' as const)
    const isNothingUnsent = found !== 'unknown' && found.answers + found.submits + found.marks + found.late === 0 && !found.hasDraft
    // that something was deleted is said once
    const isSilent = isNothingUnsent && (hasAsked || !found.isDeleted)
    const chosen = isSilent ? 'keep' : await choose(found)
    hasAsked = true
    if (chosen === 'stay' || userId() !== whose) return
    if (chosen === 'send') {
      await privateStore()
        .then((store) => store.sendNow())
        .catch(() => undefined)
      continue
    }
    onLeaving()
    await signOut({ keepUnsent: chosen === 'keep' })
    return
  }
}

/** As the device screen's dialog, confirmed at once. Resolves to the questions that it named. */
export async function discardOnDevice(instanceId: string): Promise<string[]> {
  const id = userId()
  if (id === undefined) return []
  const { lossOf, discardAll } = await loadDiscard()
  const key = { userId: id, instanceId }
  const loss = await lossOf(key, 'en')
  await discardAll(key, 'en', loss, false)
  return [...loss.unsent, ...loss.late].map(({ questionId }) => questionId)
}

/** As the device screen's button. */
export async function retryOnDevice(instanceId: string): Promise<void> {
  const id = userId()
  if (id !== undefined) await (await loadOutbox()).retry({ userId: id, instanceId })
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').trim()

/** The line below the questions; '' while the screen hides it, or shows something else. */
export function saveStatusText(): string {
  const state = test?.questionnaire.get()
  if (!test || state?.state !== 'ready' || !test.questionnaire.answers.listeners.isStatusCurrent()) return ''
  const { instance, sections } = state.ready
  return textOf(renderToStaticMarkup(<SaveStatus instance={instance} sections={sections} questionnaire={test.questionnaire} />))
}

/** The lines of an assessment's card on the dashboard. */
export function cardText(instanceId: string): string {
  const one = home?.statuses.find((status) => status.instanceId === instanceId)
  return one ? textOf(renderToStaticMarkup(<DeviceState instanceId={instanceId} status={one} />)) : ''
}

/** A text of the portal, to compare those with: the part before the first figure. */
export const startOfText = (key: string): string => i18n.t(key, { count: 2, time: '\n' }).split(/[\n\d]/)[0] ?? ''

export const isReachable = () => network.isReachable()
