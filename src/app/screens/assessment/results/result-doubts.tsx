import { Suspense } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DOUBT_KEYS } from '#contract/rules/doubt-keys.ts'

/** Why this result deserves even more care: a sentence for each doubt about the answers. For the player only. RESULTS-15 */
export function ResultDoubts({ doubts }: { doubts: readonly string[] }) {
  const known = doubts.filter(isKnown)
  return known.length === 0 ? null : (
    <Suspense fallback={null}>
      <Sentences doubts={known} />
    </Suspense>
  )
}

function Sentences({ doubts }: { doubts: readonly (keyof typeof DOUBT_KEYS)[] }) {
  const { t } = useTranslation('doubts')
  return (
    <>
      {doubts.map((doubt) => (
        <p key={doubt}>{t(DOUBT_KEYS[doubt])}</p>
      ))}
      <p>{t('DoubtsInResult')}</p>
    </>
  )
}

// a later server may find more
const isKnown = (doubt: string): doubt is keyof typeof DOUBT_KEYS => doubt in DOUBT_KEYS
