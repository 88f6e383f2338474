import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { useNetworkState } from '#app/api/use-network-state.ts'
import type { NetworkState } from '#app/api/network.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { CONNECTION_STRIP_DELAY_MS, SCREEN_SETTLES_MS } from '#app/constants.ts'
import { sendTrouble } from '#app/device/sending/send-trouble.ts'
import { hasUnwritten, onUnwritten } from '#app/device/sending/unwritten.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { keepsWriting } from '#app/session/stored-copy.ts'
import { useMissingAnswers } from '#app/session/use-left-accounts.ts'
import { screenHeading, useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { hasUnkeptInput, onUnkeptInput } from '#app/parts/unkept-input.ts'
import { Icon } from '#app/ui/layout/icon.tsx'
import { appUpdate } from '#app/parts/app-update.ts'

/** A line under the header for as long as the API is slow or cannot be reached. Not a toast, and not styled as an error. */
export function ConnectionStrip() {
  const { t } = useTranslation('shell')
  const strip = useRef<HTMLDivElement>(null)
  useKeepFocus(strip, screenHeading)
  const stateNow = useNetworkState()
  const state = useDelayed<NetworkState>(stateNow, 'online')
  // if answers could not be written to the disk, the strip must not say that they are stored here
  const isUnwritten = useDelayed(useSyncExternalStore(onUnwritten, hasUnwritten), false)
  const isInputUnkept = useDelayed(useSyncExternalStore(onUnkeptInput, hasUnkeptInput), false)
  const isUpdateWaiting = useSyncExternalStore(appUpdate.subscribe, appUpdate.isWaiting)
  const isTooOld = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const troubleSince = useSyncExternalStore(sendTrouble.subscribe, sendTrouble.since)
  const retryBy = useSyncExternalStore(sendTrouble.subscribe, sendTrouble.retryBy)
  const moment = useMoment()
  const missing = useMissingAnswers()
  const isSignedIn = useSession().status !== 'guest'
  useAnnounceReturn(state)
  // tried while the strip is delayed, so that it need not be corrected
  const isKept = useKeepsWriting({ isOffline: stateNow === 'offline', isSignedIn, isUnwritten })
  const whatWaits = isSignedIn && (
    <Link href={paths.device()} className="strip-link">
      {t('SeeWhatWaits')}
    </Link>
  )
  function connectionKey(): string {
    if (state === 'weak') return 'WeakConnection'
    if (isUnwritten || isInputUnkept) return 'OfflineNotStored'
    return isKept ? 'Offline' : 'OfflineNotKept'
  }

  return (
    <div ref={strip} role="status">
      {state !== 'online' && (
        <p className={`strip strip-${state}`}>
          <Icon>
            <path d="M4 4l16 16M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.4M19 12a10 10 0 0 0-5-2.7M12 19v.01" />
          </Icon>
          {t(connectionKey())} {whatWaits}
        </p>
      )}
      {state !== 'offline' && isUnwritten && (
        <p className="strip strip-weak">
          {t('NotStored')} {whatWaits}
        </p>
      )}
      {state !== 'offline' && troubleSince !== undefined && (
        <p className="strip strip-weak">
          {retryBy === undefined
            ? t('NotTaken', { time: moment(troubleSince) })
            : t('NotTakenAgainBy', { time: moment(troubleSince), again: moment(retryBy) })}{' '}
          {whatWaits}
        </p>
      )}
      {isSignedIn && missing > 0 && (
        <p className="strip strip-weak">
          {t('MissingHere', { count: missing })} {whatWaits}
        </p>
      )}
      {isTooOld && (
        <p className="strip strip-weak">
          {t(isUpdateWaiting ? 'UpdateRequired' : 'UpdateComing')} {whatWaits}
        </p>
      )}
    </div>
  )
}

/** Whether this device keeps what is written offline; assumed until it was tried, and retried when writing starts or stops failing. */
function useKeepsWriting({
  isOffline,
  isSignedIn,
  isUnwritten,
}: {
  isOffline: boolean
  isSignedIn: boolean
  isUnwritten: boolean
}): boolean {
  const [isKept, setIsKept] = useState(true)
  useEffect(() => {
    if (!isOffline) return
    let isLatest = true
    void keepsWriting(isSignedIn).then((isNow) => isLatest && setIsKept(isNow))
    return () => {
      isLatest = false
    }
  }, [isOffline, isSignedIn, isUnwritten])
  return isKept
}

/** The strip disappears silently, so screen readers announce that the connection is back, once it has lasted. */
function useAnnounceReturn(state: NetworkState): void {
  const { t } = useTranslation('shell')
  const wasOffline = useRef(false)
  const say = useEffectEvent(() => {
    wasOffline.current = false
    announce(t('OnlineAgain'))
  })
  useEffect(() => {
    if (state === 'offline') wasOffline.current = true
    if (state !== 'online' || !wasOffline.current) return
    const timer = setTimeout(say, SCREEN_SETTLES_MS)
    return () => clearTimeout(timer)
  }, [state])
}

/** Trouble is reported after a delay, its end at once. */
function useDelayed<State extends string | boolean>(state: State, well: State): State {
  const [delayed, setDelayed] = useState(well)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(state), state === well ? 0 : CONNECTION_STRIP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [state, well])
  return delayed
}
