/** /assessment/continue: the shortcut of the installed app to the assessment under way. INSTALL-6 */
import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Redirect } from 'wouter'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { useDocumentTitle } from '#app/ui/layout/page.tsx'
import { PageSkeleton } from '#app/ui/layout/skeletons.tsx'
import { pathToContinue } from './path-to-continue.ts'

export default function ContinueScreen() {
  const { t } = useTranslation('assessment')
  useDocumentTitle(t('TestTitle'))
  const { user, userTypeCode } = useSession()
  const userId = userTypeCode === 'coach' ? undefined : user?.id
  const [found, setFound] = useState<string>()
  useEffect(() => {
    if (userId === undefined) return
    let isOver = false
    void pathToContinue(userId).then((path) => !isOver && setFound(path))
    return () => {
      isOver = true
    }
  }, [userId])
  const path = userId === undefined ? paths.home() : found
  return path === undefined ? <PageSkeleton /> : <Redirect to={path} replace />
}
