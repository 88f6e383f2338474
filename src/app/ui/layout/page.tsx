import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import type { Crumb } from './breadcrumbs.tsx'
import { useFocusOnArrival } from '#app/ui/browser/use-focus-on-arrival.ts'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'

interface PageProps {
  /** the document's title and, without `heading`, the h1 */
  title: string
  /** the h1 if it differs from the title, such as markup or a name */
  heading?: ReactNode
  intro?: ReactNode
  breadcrumbs?: readonly Crumb[]
  /** a link back, if there are no breadcrumbs */
  back?: ReactNode
  /** `text`: lines of at most 68 characters; `middle`: two columns; `wide`: tables and panels */
  width?: 'text' | 'middle' | 'wide'
  children: ReactNode
}

/** A screen's frame: sets the document title, the h1 (which takes the focus on arrival, and when what had it is removed) and the content width. */
export function Page({ title, heading, intro, breadcrumbs, back, width = 'text', children }: PageProps) {
  const page = useRef<HTMLDivElement>(null)
  const h1 = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  useFocusOnArrival(h1)
  useKeepFocus(page, h1)
  return (
    <div ref={page} className={`page page-${width}`}>
      <div className="page-head">
        {breadcrumbs && <Breadcrumbs items={breadcrumbs} />}
        {back}
        <h1 ref={h1} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {intro && <div className="soft">{intro}</div>}
      </div>
      {children}
    </div>
  )
}

export function useDocumentTitle(title: string): void {
  const { t } = useTranslation('ui')
  useEffect(() => {
    document.title = t('DocumentTitle', { title })
  }, [title, t])
}
