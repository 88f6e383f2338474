import { useState, type ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'

/** A button that shows its content, for components that take the focus or cover the page. */
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
