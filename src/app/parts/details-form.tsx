import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { FormProvider, useForm, type DefaultValues, type FieldValues, type Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { fieldErrorsOf, messageFor } from '#app/api/message-for.ts'
import { probe, useReachable } from '#app/api/network.ts'
import { dropDraft, keepDraft, readDraft } from './draft.ts'

interface Props<Values extends FieldValues, Output> {
  schema: z.ZodMiniType<Output, Values>
  /** what is stored of this person now */
  start: Values
  /** where the unsaved text is kept: the form's name and whose it is */
  draft: { form: string; owner: string }
  submitLabel: string
  busyLabel: string
  /** why it cannot be sent while the API is not there */
  offlineReason: string
  /** key with namespace, for a failure without words of its own */
  failure: string
  /** a field as the server names it → its path here */
  fieldOnScreen?: (serverField: string) => string
  /** Sends; resolves to what is stored now, when it stays on screen. Rejects with the reason. */
  onSend: (details: Output) => Promise<Values | undefined>
  onSent?: () => void
  children: ReactNode
}

/**
 * The frame of every details form: checks on leaving a field and on submit, first broken field focused, refusals in
 * place, nothing typed is lost (draft on the device), and no sending without the API. §5, ruling 23, design 3.6
 */
export function DetailsForm<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const { t } = useTranslation('parts')
  const isReachable = useReachable()
  const reasonId = useId()
  const { form: formName, owner } = props.draft
  const [start, setStart] = useState(props.start)
  const [draft] = useState(() => readDraft(formName, owner, start))
  const [isRestored, setIsRestored] = useState(draft !== undefined)
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(props.schema),
    defaultValues: (draft ?? start) as DefaultValues<Values>, // whole values are deep partials of themselves
    mode: 'onTouched',
  })
  const { isSubmitting, errors } = form.formState
  const failed = errors.root?.message

  useDraft(form.subscribe, formName, owner, start)

  const discard = () => {
    form.reset(start)
    setIsRestored(false)
  }

  const refuse = (error: unknown) => {
    const named = Object.entries(fieldErrorsOf(error)).map(([field, message]) => ({ path: props.fieldOnScreen?.(field) ?? field, message }))
    const known = named.filter(({ path }) => form.getValues(path as Path<Values>) !== undefined) // asked right here
    known.forEach(({ path, message }, place) => {
      form.setError(path as Path<Values>, { type: 'server', message }, { shouldFocus: place === 0 }) // as above
    })
    if (known.length === 0) form.setError('root', { type: 'server', message: messageFor(error, props.failure) })
  }

  const submit = form.handleSubmit(async (details) => {
    // Rechecked at the tap (ruling 23); the reason then shows by itself
    if (!(await probe())) return
    try {
      const stored = await props.onSend(details)
      dropDraft(formName, owner)
      setIsRestored(false)
      if (stored !== undefined) {
        setStart(stored)
        form.reset(stored)
      }
      props.onSent?.()
    } catch (error) {
      refuse(error)
    }
  })

  return (
    <FormProvider {...form}>
      <Box component="form" noValidate onSubmit={(event) => void submit(event)} aria-busy={isSubmitting} sx={{ display: 'grid', gap: 4 }}>
        {isRestored ? (
          <Alert
            severity="info"
            action={
              <Button color="inherit" onClick={discard} sx={{ minHeight: 48 }}>
                {t('DraftDiscard')}
              </Button>
            }
          >
            {t('DraftRestored')}
          </Alert>
        ) : null}
        {props.children}
        <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
          {failed ? <Alert severity="error">{failed}</Alert> : null}
          <Button
            type={isReachable ? 'submit' : 'button'}
            variant="contained"
            size="large"
            loading={isSubmitting}
            loadingPosition="start"
            aria-disabled={!isReachable}
            aria-describedby={isReachable ? undefined : reasonId}
            sx={{ minHeight: 48, ...(isReachable ? {} : { opacity: 0.6 }) }}
          >
            {isSubmitting ? props.busyLabel : props.submitLabel}
          </Button>
          <Box id={reasonId} role="status" sx={{ color: 'text.secondary', minHeight: 24 }}>
            {isReachable ? '' : props.offlineReason}
          </Box>
        </Box>
      </Box>
    </FormProvider>
  )
}

type Subscribe<Values extends FieldValues> = ReturnType<typeof useForm<Values>>['subscribe']

/** Every change goes to the device at once; text that equals what is stored needs no draft. */
function useDraft<Values extends FieldValues>(subscribe: Subscribe<Values>, form: string, owner: string, start: Values): void {
  const stored = useRef('')
  useEffect(() => {
    stored.current = JSON.stringify(start)
  }, [start])
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          if (JSON.stringify(values) === stored.current) dropDraft(form, owner)
          else keepDraft(form, owner, values)
        },
      }),
    [subscribe, form, owner],
  )
}
