import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import visuallyHidden from '@mui/utils/visuallyHidden'
import { useRef, useState } from 'react'
import { useFieldArray, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { CountryCityFields } from './country-city-fields.tsx'
import { FieldGrid } from './field-grid.tsx'
import { SelectControl, TextControl, useFieldMessage } from './form-controls.tsx'
import { emptyTeam, TEAMS_MAXIMUM } from './player-details.ts'
import { useTeamOptions } from './use-lookups.ts'

/** The teams played for, or coached: add, remove, seven fields each. §3 Team entry, §5 */
export function TeamFields({ title }: { title: string }) {
  const { t } = useTranslation('parts')
  const messageOf = useFieldMessage()
  const teams = useFieldArray({ name: 'teams' })
  const { errors } = useFormState()
  const [news, setNews] = useState('')
  const addButton = useRef<HTMLButtonElement>(null)
  const tooMany = messageOf(errors['teams']?.root?.message?.toString() ?? (errors['teams']?.message as string | undefined)) // RHF types unnamed fields loosely

  const add = () => {
    teams.append(emptyTeam, { shouldFocus: true, focusName: `teams.${teams.fields.length}.clubType` })
    setNews(t('TeamAdded', { number: teams.fields.length + 1 }))
  }
  const remove = (index: number) => {
    teams.remove(index)
    setNews(t('TeamRemoved', { number: index + 1 }))
    addButton.current?.focus()
  }

  return (
    <Box component="section" sx={{ display: 'grid', gap: 3 }}>
      <Typography component="h2" variant="h5">
        {title}
      </Typography>
      {teams.fields.length === 0 ? <Typography color="text.secondary">{t('NoTeams')}</Typography> : null}
      {teams.fields.map((team, index) => (
        <Team
          key={team.id}
          index={index}
          onRemove={() => {
            remove(index)
          }}
        />
      ))}
      {tooMany ? (
        <Typography role="alert" color="error">
          {tooMany}
        </Typography>
      ) : null}
      <Box>
        <Button ref={addButton} variant="outlined" onClick={add} disabled={teams.fields.length >= TEAMS_MAXIMUM} sx={{ minHeight: 48 }}>
          {t('AddTeam')}
        </Button>
      </Box>
      <span role="status" style={visuallyHidden}>
        {news}
      </span>
    </Box>
  )
}

function Team({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useTranslation('parts')
  const options = useTeamOptions()
  const number = index + 1
  const at = (field: string) => `teams.${index}.${field}`
  return (
    <Box component="fieldset" sx={{ m: 0, p: { xs: 2, sm: 3 }, minWidth: 0, border: 1, borderColor: 'divider', borderRadius: 2 }}>
      <Typography component="legend" sx={{ px: 1, fontWeight: 600 }}>
        {t('TeamNumber', { number })}
      </Typography>
      <FieldGrid>
        <SelectControl name={at('clubType')} label={t('ClubType')} required choices={options.clubType} />
        <TextControl name={at('clubName')} label={t('ClubName')} required autoComplete="organization" />
        <TextControl name={at('teamName')} label={t('TeamName')} required />
        <SelectControl name={at('ageGroup')} label={t('AgeGroup')} required choices={options.ageGroup} />
        <CountryCityFields
          countryName={at('country')}
          cityName={at('location')}
          countryLabel={t('TeamCountry')}
          cityLabel={t('TeamLocation')}
        />
        <SelectControl name={at('teamGender')} label={t('TeamGender')} required choices={options.teamGender} />
      </FieldGrid>
      <Box sx={{ mt: 2, display: 'flex', justifyContent: 'flex-end' }}>
        <Button color="error" onClick={onRemove} aria-label={t('RemoveTeamNumber', { number })} sx={{ minHeight: 48 }}>
          {t('RemoveTeam')}
        </Button>
      </Box>
    </Box>
  )
}
