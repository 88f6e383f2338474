import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type MouseEvent, type ReactNode } from 'react'
import {
  FormProvider,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type * as z from 'zod/mini'
import { useReachable } from '#app/api/use-network-state.ts'
import { onReturn } from '#app/ui/browser/on-return.ts'
import { isScreenLeaving } from '#app/ui/browser/use-focus-on-arrival.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { deferBlur } from '#app/ui/forms/defer-blur.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { DetailsSkeleton } from './details-skeleton.tsx'
import { openDraft, type OwnDraft } from './draft.ts'
import type { Saved } from './edits.ts'
import type { DraftPlace } from './stored-draft.ts'
import { useDetailsSave, type SaveOptions } from './use-details-save.ts'
import { useDraft } from './use-draft.ts'
import { useSavedElsewhere } from './use-saved-elsewhere.ts'
import '#app/parts/actions.css'
import styles from '#app/parts/parts.module.css'

interface Props<Values extends FieldValues, Output> extends SaveOptions<Values, Output> {
  schema: z.ZodMiniType<Output, Values>
  /** the details as they are stored now */
  start: Saved<Values>
  /** where unsaved input is stored */
  draftPlace: DraftPlace
  submitLabel: string
  busyLabel: string
  /** shown at the button while the API is out of reach */
  offlineReason: string
  children: ReactNode
}

/**
 * Used by every details form: validates on leaving a field and on submit, focuses the first invalid field, shows the server's
 * errors beside their fields, stores unsaved input as a draft on the device, and sends only while the API can be reached.
 * What other tabs and devices have saved appears in every field that was not typed in here, and is never put back.
 * PROFILE-5, OFFLINE-2, SHELL-13
 */
export function DetailsForm<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const [place] = useState(props.draftPlace)
  const [opened, setOpened] = useState<{ own: OwnDraft<Values>; count: number }>()
  const isGone = useIsGone()
  const show = (own: OwnDraft<Values>) => isGone.current || setOpened((before) => ({ own, count: (before?.count ?? 0) + 1 }))
  const open = () => void openDraft(place, props.start).then(show)
  const openOnArrival = useEffectEvent(open)
  useEffect(() => openOnArrival(), [])
  return opened ? <OpenForm key={opened.count} {...props} own={opened.own} onReturned={open} /> : <DetailsSkeleton />
}

interface OpenProps<Values extends FieldValues, Output> extends Props<Values, Output> {
  own: OwnDraft<Values>
  /** Back shows the page as it was left: a later page of the tab may have gone on with the draft */
  onReturned: () => void
}

function OpenForm<Values extends FieldValues, Output>(props: OpenProps<Values, Output>) {
  const { t } = useTranslation('details')
  const isReachable = useReachable()
  const { own } = props
  const { edits } = own
  const [isRestored, setRestored] = useState(own.isRestored)
  const check = zodResolver(props.schema)
  const form: UseFormReturn<Values, unknown, Output> = useForm<Values, unknown, Output>({
    resolver: async (values, context, options) => {
      const [name, ...others] = (options.names ?? []) as string[] as Path<Values>[] // the form's own names
      // adding or removing a team must not show errors for its empty fields
      const isList = name !== undefined && others.length === 0 && Array.isArray(form.getValues(name))
      if (!isList) return check(values, context, options)
      const shown = form.getFieldState(name).error
      return { values: {}, errors: (shown ? { [name]: shown } : {}) as unknown as FieldErrors<Values> } // keep what is shown
    },
    defaultValues: own.values as DefaultValues<Values>, // whole values are deep partials of themselves
    mode: 'onTouched',
  })
  const { isSubmitting, errors } = form.formState
  const failed = errors.root?.message
  const isKept = useDraft(form.subscribe, own)
  const isUnsaved = useSyncExternalStore(edits.changes.subscribe, own.isUnsaved)
  const mayBeSaved = useSyncExternalStore(edits.changes.subscribe, own.mayBeSaved)
  const isOvertaken = useSyncExternalStore(edits.changes.subscribe, own.isOvertaken)
  const restoredText = isOvertaken ? 'DraftOvertaken' : mayBeSaved ? 'DraftRestoredUnsure' : 'DraftRestored'
  const offlineReason = isKept ? props.offlineReason : t('SaveNeedsConnectionHere')

  const discard = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // the button disappears: move the focus to the first field
    currentTarget.form?.querySelector('input')?.focus()
    if (own.isOvertaken()) {
      own.dropOvertaken()
      return setRestored(own.isUnsaved())
    }
    own.discard()
    form.reset(edits.saved)
    setRestored(false)
  }

  const putBack = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    currentTarget.form?.querySelector('input')?.focus()
    const typed = own.takeOvertaken()
    for (const [name, value] of Object.entries(typed)) form.setValue(name as Path<Values>, value, { shouldValidate: true }) // the form's own names
  }

  // what the device did not take is in this form alone
  const reopen = useEffectEvent(() => isKept && props.onReturned())
  useEffect(() => onReturn(() => reopen()), [])

  const savedElsewhere = useSavedElsewhere(form, edits, props.start)
  const submit = useDetailsSave(props, { form, own, savedElsewhere, offlineReason, onReplied: () => setRestored(false) })

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        // a field is validated when it is left, not when its screen is
        onBlurCapture={(event) => {
          if (isScreenLeaving()) event.stopPropagation()
          else if (edits.waiting && !isSubmitting) savedElsewhere.takeOver(edits.waiting, event.relatedTarget)
        }}
        aria-busy={isSubmitting}
        className={styles.form}
      >
        {isRestored && (
          <div role="status" className={`notice notice-wait ${styles.notice}`}>
            <span>{t(restoredText)}</span>
            {/* what is being sent cannot be taken back */}
            {!isSubmitting && (
              <div className="row">
                {isOvertaken && (
                  <Button variant="quiet" onClick={putBack}>
                    {t('DraftPutBack')}
                  </Button>
                )}
                <Button variant="quiet" onClick={discard}>
                  {t('DraftDiscard')}
                </Button>
              </div>
            )}
          </div>
        )}
        {props.children}
        <div className="actions">
          {failed && (
            <div role="alert" className={`notice notice-refused ${styles.failed}`}>
              {failed}
            </div>
          )}
          <Button
            {...deferBlur}
            type="submit"
            variant="primary"
            isBusy={isSubmitting}
            unavailable={isReachable ? undefined : offlineReason}
            onClick={(event) => {
              deferBlur.onClick(event)
              // an unavailable button does not submit: a tap checks the connection again (OFFLINE-2)
              if (!isReachable) void submit()
            }}
          >
            {isSubmitting ? props.busyLabel : props.submitLabel}
          </Button>
          {isUnsaved && isReachable && <span className="soft small">{t(isKept ? 'Unsaved' : 'UnsavedNotKept')}</span>}
        </div>
      </form>
    </FormProvider>
  )
}
