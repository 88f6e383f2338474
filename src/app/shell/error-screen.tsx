import { Component, useEffect } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { isApiError } from '#app/api/api-error.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { PartNotFetched } from '#app/lost-part.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { reloadOnceFetched } from './reload-for-lost-parts.ts'

/** Catches errors that no screen handled. SHELL-10 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown; hasFailed: boolean }> {
  override state = { error: undefined as unknown, hasFailed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    console.error('A screen failed', error)
  }

  override render() {
    return this.state.hasFailed ? <ErrorScreen error={this.state.error} /> : this.props.children
  }
}

function ErrorScreen({ error }: { error: unknown }) {
  const { t } = useTranslation('shell')
  const isPartMissing = error instanceof PartNotFetched
  useEffect(() => (isPartMissing ? reloadOnceFetched() : undefined), [isPartMissing])
  return (
    <Page title={t('UnexpectedApplicationError')}>
      <p>{isPartMissing ? t('PartNotLoaded') : detailOf(error)}</p>
      <p className="soft">{t('UnexpectedApplicationErrorHint')}</p>
      <div className="row">
        <Button variant="primary" onClick={() => location.reload()}>
          {t('Reload')}
        </Button>
        {/* a full page load, as the app's state is broken */}
        <a className="button" href="/">
          {t('ToDashboard')}
        </a>
      </div>
    </Page>
  )
}

function detailOf(error: unknown): string {
  if (isApiError(error) && error.status !== undefined) return String(error.status)
  return error instanceof Error ? error.message : String(error)
}
