import type { ReactNode } from 'react'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import '#app/parts/actions.css'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'

interface Props {
  title: string
  /** label of the primary button */
  action: string
  onAction: (() => void) | undefined
  children: ReactNode
}

/** A page shown instead of the brief: a text, one action, and a link back to the dashboard. */
export function BriefNotice({ title, action, onAction, children }: Props) {
  return (
    <Page title={title}>
      {children}
      <div className="actions message">
        <Button variant="primary" onClick={onAction}>
          {action}
        </Button>
        <DashboardLink />
      </div>
    </Page>
  )
}
