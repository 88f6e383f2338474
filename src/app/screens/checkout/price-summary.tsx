import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { costOf, Price } from '#app/parts/price.tsx'
import type { Assessment } from '#contract/assessments.ts'

/** What is being bought: name, tagline, description, price. §2 /checkout/{assessmentId}/payment */
export function PriceSummary({ assessment }: { assessment: Assessment }) {
  const { t } = useTranslation('checkout')
  const headingId = useId()
  const cost = costOf(assessment)
  return (
    <Box
      component="section"
      aria-labelledby={headingId}
      sx={{ display: 'grid', gap: 2, p: 3, border: 1, borderColor: 'divider', borderRadius: 2, alignContent: 'start', minWidth: 0 }}
    >
      <Typography id={headingId} component="h2" variant="h5">
        <AssessmentName name={assessment.name} />
      </Typography>
      <Typography sx={{ fontWeight: 600 }}>{assessment.tagline}</Typography>
      <Typography>{assessment.description}</Typography>
      <Typography color="text.secondary">{t('EstimatedMinutes', { count: assessment.estimatedTimeMinutes })}</Typography>
      {cost ? (
        <Typography component="p" variant="h5" sx={{ pt: 2, borderTop: 1, borderColor: 'divider', fontVariantNumeric: 'tabular-nums' }}>
          <Price cost={cost} />
        </Typography>
      ) : null}
    </Box>
  )
}
