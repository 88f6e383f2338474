import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import type { Crumb } from './breadcrumbs.tsx'
import { useFocusOnArrival } from '#app/ui/browser/use-focus-on-arrival.ts'

interface PageProps {
  /** of the document and, without `heading`, of the page */
  title: string
  /** the h1 where it is more than the title: markup, a name */
  heading?: ReactNode
  intro?: ReactNode
  breadcrumbs?: readonly Crumb[]
  /** the way back, where there are no breadcrumbs */
  back?: ReactNode
  /** text is at most 68 characters wide; two columns need `middle`, tables and panels `wide` */
  width?: 'text' | 'middle' | 'wide'
  children: ReactNode
}

/** A screen's frame: document title, h1 that takes the focus on arrival, content width. */
export function Page({ title, heading, intro, breadcrumbs, back, width = 'text', children }: PageProps) {
  const h1 = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  useFocusOnArrival(h1)
  return (
    <div className={`page page-${width}`}>
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
