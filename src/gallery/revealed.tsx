import { useState, type ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'

/** Around a piece that takes the focus, or lies over the page: shown when asked for. */
export function Revealed({ children }: { children: (hide: () => void) => ReactNode }) {
  const { t } = useTranslation('gallery')
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? t('Hide') : t('Show')}
      </Button>
      {isShown && children(() => setIsShown(false))}
    </>
  )
}
