import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import type { Crumb } from './breadcrumbs.tsx'
import { useArrival } from './use-arrival.ts'

interface PageProps {
  /** of the document and, unless `heading` is given, of the page */
  title: string
  /** the h1 where it is more than the title: markup, a name */
  heading?: ReactNode
  intro?: ReactNode
  breadcrumbs?: readonly Crumb[]
  /** the way back, where it is no breadcrumb */
  back?: ReactNode
  /** text stays within 68 characters; two columns take the middle one, tables and panels the wide one */
  width?: 'text' | 'middle' | 'wide'
  children: ReactNode
}

/** One screen's frame: document title, h1 that takes the focus when one arrives here, content width. */
export function Page({ title, heading, intro, breadcrumbs, back, width = 'text', children }: PageProps) {
  const h1 = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  useArrival(h1)
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
