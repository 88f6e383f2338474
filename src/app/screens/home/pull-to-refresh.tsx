import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PULL_PX } from '#app/constants.ts'

/** Pulling down at the top refreshes an installed app, which has no reload button. In a tab the browser's own pull works. HOME-19 */
export function PullToRefresh({ onPull }: { onPull: () => void }) {
  const { t } = useTranslation('home')
  const [pulled, setPulled] = useState(0)
  const isFarEnough = pulled >= PULL_PX
  const release = useEffectEvent(() => {
    if (isFarEnough) onPull()
    setPulled(0)
  })

  useEffect(() => {
    if (!matchMedia('(display-mode: standalone)').matches) return
    const { style } = document.documentElement
    const before = style.overscrollBehaviorY
    // prevents the browser's own pull, which would reload the whole app
    style.overscrollBehaviorY = 'contain'
    let from: Touch | undefined
    const start = ({ touches, target }: TouchEvent) => {
      const isInDialog = target instanceof Element && target.closest('[role="dialog"]') !== null
      from = scrollY <= 0 && touches.length === 1 && !isInDialog ? touches[0] : undefined
    }
    const move = ({ touches: [touch] }: TouchEvent) => {
      if (!from || !touch) return
      const down = touch.clientY - from.clientY
      const aside = Math.abs(touch.clientX - from.clientX)
      if (scrollY > 0 || aside > Math.abs(down)) from = undefined
      setPulled(from ? Math.max(0, down) : 0)
    }
    const cancel = () => setPulled(0)
    const end = () => release()
    addEventListener('touchstart', start, { passive: true })
    addEventListener('touchmove', move, { passive: true })
    addEventListener('touchend', end)
    addEventListener('touchcancel', cancel)
    return () => {
      style.overscrollBehaviorY = before
      removeEventListener('touchstart', start)
      removeEventListener('touchmove', move)
      removeEventListener('touchend', end)
      removeEventListener('touchcancel', cancel)
    }
  }, [])

  return pulled === 0 ? null : (
    <p className="home-pull" aria-hidden="true" style={{ opacity: Math.min(1, pulled / PULL_PX) }}>
      {t(isFarEnough ? 'PullRelease' : 'PullMore')}
    </p>
  )
}
