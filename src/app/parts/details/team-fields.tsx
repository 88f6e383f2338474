import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, useFormContext, useFormState } from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { CountryCityFields } from './country-city-fields.tsx'
import { deferBlur } from '#app/ui/forms/defer-blur.ts'
import { FieldGrid } from './field-grid.tsx'
import { SelectControl, TextControl, useFieldMessage } from './form-controls.tsx'
import styles from '#app/parts/parts.module.css'
import { TEAMS_MAXIMUM } from '#contract/rules/profile.ts'
import { emptyTeam } from './player-details.ts'
import { useTeamOptions } from './use-lookups.ts'

/** The teams a player plays for or a coach coaches; they can be added and removed. PROFILE-12, PROFILE-8 */
export function TeamFields({ title }: { title: string }) {
  const { t } = useTranslation('details')
  const messageOf = useFieldMessage()
  const { getValues } = useFormContext<{ teams: unknown[] }>()
  const teams = useFieldArray({ name: 'teams' })
  const { errors } = useFormState()
  const error = errors['teams'] as { message?: string; root?: { message?: string } } | undefined // of the list, not of its fields
  const addButton = useRef<HTMLButtonElement>(null)
  const tooMany = messageOf(error?.root?.message ?? error?.message)

  const add = () => {
    // the press itself may have added one that another tab saved
    const { length } = getValues('teams')
    teams.append(emptyTeam, { shouldFocus: true, focusName: `teams.${length}.clubType` })
    announce(t('TeamAdded', { number: length + 1 }))
  }
  const remove = (index: number) => {
    // remove before moving the focus: a later blur would bring the team back
    flushSync(() => {
      teams.remove(index)
    })
    announce(t('TeamRemoved', { number: index + 1 }))
    addButton.current?.focus()
  }

  return (
    <section className={styles.part}>
      <div>
        <h2>{title}</h2>
        {teams.fields.length === 0 && <p className="soft">{t('NoTeams')}</p>}
      </div>
      {teams.fields.map((team, index) => (
        <Team
          key={team.id}
          index={index}
          onRemove={() => {
            remove(index)
          }}
        />
      ))}
      {tooMany && (
        <p role="alert" className="field-error">
          {tooMany}
        </p>
      )}
      {teams.fields.length < TEAMS_MAXIMUM && (
        <Button
          {...deferBlur}
          ref={addButton}
          isWide
          className={styles.add}
          onClick={(event) => {
            deferBlur.onClick(event)
            add()
          }}
        >
          {t('AddTeam')}
        </Button>
      )}
    </section>
  )
}

function Team({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useTranslation('details')
  const options = useTeamOptions()
  const number = index + 1
  const at = (field: string) => `teams.${index}.${field}`
  return (
    <fieldset className={`${styles.sheet} ${styles.team}`}>
      <legend>{t('TeamNumber', { number })}</legend>
      <div className={styles.remove}>
        <Button variant="quiet" {...deferBlur} onClick={onRemove} aria-label={t('RemoveTeamNumber', { number })}>
          {t('RemoveTeam')}
        </Button>
      </div>
      <FieldGrid>
        <SelectControl name={at('clubType')} label={t('ClubType')} isMandatory {...options.clubType} />
        <TextControl name={at('clubName')} label={t('ClubName')} isMandatory autoComplete="organization" />
        <div className={styles.whole}>
          <TextControl name={at('teamName')} label={t('TeamName')} isMandatory />
        </div>
        {/* a row of their own: beside their hints, a field without one would stand higher */}
        <div className={styles.whole}>
          <FieldGrid>
            <CountryCityFields
              countryName={at('country')}
              cityName={at('location')}
              countryLabel={t('TeamCountry')}
              cityLabel={t('TeamLocation')}
            />
          </FieldGrid>
        </div>
        <SelectControl name={at('teamGender')} label={t('TeamGender')} isMandatory {...options.teamGender} />
        <SelectControl name={at('ageGroup')} label={t('AgeGroup')} isMandatory {...options.ageGroup} />
      </FieldGrid>
    </fieldset>
  )
}
