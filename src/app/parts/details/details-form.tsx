import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type FormEvent, type MouseEvent, type ReactNode } from 'react'
import {
  FormProvider,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
} from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type * as z from 'zod/mini'
import { isApiError } from '#app/api/api-error.ts'
import { fieldErrorsOf, messageFor } from '#app/api/message-for.ts'
import { network, probe } from '#app/api/network.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { onReturn } from '#app/ui/browser/on-return.ts'
import { isScreenLeaving } from '#app/ui/browser/use-focus-on-arrival.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { deferBlur } from '#app/ui/forms/defer-blur.ts'
import { noteInputKept } from '#app/parts/unkept-input.ts'
import { errorToast, toasts } from '#app/ui/feedback/toast.ts'
import type { WordsKey } from '#app/ui/feedback/recent-errors.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { DetailsSkeleton } from './details-skeleton.tsx'
import { openDraft, type OwnDraft } from './draft.ts'
import type { Edited, Saved } from './edits.ts'
import { changed, includesEdits, PLACE, type Sent } from './merge.ts'
import type { DraftPlace } from './stored-draft.ts'
import '#app/parts/actions.css'
import styles from '#app/parts/parts.module.css'

/** of one submit, while other devices save, too */
const SAVE_RETRIES = 3

interface Props<Values extends FieldValues, Output> {
  schema: z.ZodMiniType<Output, Values>
  /** the details as they are stored now */
  start: Saved<Values>
  /** where unsaved input is stored */
  draft: DraftPlace
  submitLabel: string
  busyLabel: string
  /** shown at the button while the API is out of reach */
  offlineReason: string
  /** key with namespace, for a failure that has no text of its own */
  failure: string
  /** says what failed; shown before the reason if no field shows an error. PROFILE-5 */
  headline?: string | undefined
  /** the server's name of a field → its path in the form */
  fieldOnScreen?: (serverField: string) => string
  /**
   * Resolves to the details as stored now, not `isSaved` if these must be merged first, or to undefined if the form is left. Rejects with the
   * reason.
   */
  onSend: (details: Output, edited: Edited) => Promise<{ stored: Saved<Values>; isSaved: boolean } | undefined>
  /** @param isAll false: something was typed since it was sent. Also called once the form is left. */
  onSent?: (isAll: boolean) => void
  children: ReactNode
}

/**
 * Used by every details form: validates on leaving a field and on submit, focuses the first invalid field, shows the server's
 * errors beside their fields, stores unsaved input as a draft on the device, and sends only while the API can be reached.
 * What other tabs and devices have saved appears in every field that was not typed in here, and is never put back.
 * PROFILE-5, OFFLINE-2, SHELL-13
 */
export function DetailsForm<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const [place] = useState(props.draft)
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
  const { t, i18n } = useTranslation('details')
  const isReachable = useReachable()
  const { own } = props
  const { edits } = own
  const [isRestored, setRestored] = useState(own.isRestored)
  const isLeft = useIsGone()
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
  const isUnsaved = useSyncExternalStore(edits.changed.subscribe, own.isUnsaved)
  const mayBeSaved = useSyncExternalStore(edits.changed.subscribe, own.mayBeSaved)
  const isOvertaken = useSyncExternalStore(edits.changed.subscribe, own.isOvertaken)
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

  /** @param since what was typed since it was sent */
  const refuse = (error: unknown, since: Partial<Values>) => {
    const named = Object.entries(fieldErrorsOf(error)).map(([field, message]) => ({ path: props.fieldOnScreen?.(field) ?? field, message }))
    const known = named.filter(({ path }) => form.getValues(path as Path<Values>) !== undefined) // fields of this form
    const isElsewhere = Object.keys(since).length > 0
    known.forEach(({ path, message }, place) => {
      // mended meanwhile
      if ((path.split('.')[0] ?? '') in since) return
      form.setError(path as Path<Values>, { type: 'server', message }, { shouldFocus: place === 0 && !isElsewhere }) // as above
    })
    if (known.length > 0) return
    form.setError('root', { type: 'server', message: reasonOf(error) })
  }

  const reasonOf = (error: unknown) => {
    const message = props.headline ? `${props.headline} ${messageFor(error)}` : messageFor(error, props.failure)
    return own.mayBeSaved() ? `${message} ${t('MayBeSaved')}` : message
  }

  /** Part by part, as a list that is set as a whole is drawn anew, and loses the focus. */
  const setField = (name: string, present: unknown, value: unknown) => {
    if (JSON.stringify(present) === JSON.stringify(value)) return
    if (hasParts(present) && hasParts(value) && Object.keys(present).length === Object.keys(value).length)
      for (const [part, one] of Object.entries(value)) setField(`${name}.${part}`, present[part], one)
    else {
      form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>) // the form's own names and values
      form.clearErrors(name as Path<Values>)
    }
  }
  /** Teams and a birth date: two devices may each change a part, and the whole is saved, so only once it is merged. */
  const hasOwnParts = (name: string) => hasParts(edits.saved[name])
  const setFields = (next: Values) => {
    const present = structuredClone(form.getValues())
    for (const [name, value] of Object.entries(next)) setField(name, present[name], value)
  }

  // what the device did not take is in this form alone
  const noteReturn = useEffectEvent(() => isKept && props.onReturned())
  useEffect(() => onReturn(() => noteReturn()), [])

  /** Shows what was saved elsewhere where nothing was typed, but for the field that has the focus: it must not change under the fingers. */
  const takeOver = (saved: Saved<Values>, focus: Element | null) => {
    // its own objects change as fields are set
    const typed = structuredClone(form.getValues())
    const next = edits.mergedWith(saved.values, typed)
    const focused = fieldOf(focus)
    const fields = PLACE.includes(focused) ? PLACE : [focused]
    const waits = Object.keys(changed(next, typed)).filter((name) => fields.includes(name))
    const waitingOf = (values: Values) => Object.fromEntries(waits.map((name) => [name, values[name]]))
    const shown = { ...next, ...waitingOf(typed) }
    const known = {
      values: { ...saved.values, ...waitingOf(edits.saved) },
      version: waits.some(hasOwnParts) ? edits.version : saved.version,
    }
    // before the form has them, or they would be stored as a draft
    edits.noteSavedElsewhere(known, waits.length > 0 ? saved : undefined)
    setFields(shown)
  }

  // what is taken over while a save is under way would look as if it had been typed since
  const takeOverStart = useEffectEvent(() => (isSubmitting ? edits.defer(props.start) : takeOver(props.start, document.activeElement)))
  const startText = JSON.stringify(props.start)
  useEffect(() => takeOverStart(), [startText])

  const conflict = () => i18n.t('errors:PROFILE_CHANGED')
  const noteConflict = () => form.setError('root', { type: 'server', message: conflict() })
  /** In a toast, as the form is left. Nothing is told of a save that a later one has replaced. */
  const tellNotSaved = (sent: Sent<Values>, failed: WordsKey | { error: unknown }, text: () => string) => {
    if (own.noteNotSaved(sent)) errorToast(failed, text())
  }

  /** Another save came first. What was typed since this one was sent is not saved unasked. @returns whether to send it again */
  const mergeWith = (stored: Saved<Values>, sent: Sent<Values>): boolean => {
    const isTypedSince = Object.keys(changed(form.getValues(), sent.values)).length > 0
    // with what was sent, a part of which may be saved by an attempt before
    takeOver(stored, isTypedSince || !hasOwnParts(fieldOf(document.activeElement)) ? document.activeElement : null)
    own.noteNotSaved(sent)
    if (isTypedSince) noteConflict()
    return !isTypedSince
  }

  /** @returns whether it is to be sent again, as another save came first */
  const save = async (details: Output): Promise<boolean> => {
    // the fields stay open meanwhile
    const typed = structuredClone(form.getValues())
    // Enter submits too while the button is unavailable
    if (!network.isReachable() && !(await probe())) {
      announce(offlineReason)
      return false
    }
    const { edited, sent } = edits.noteSending(typed)
    // so that the draft knows of it, too
    own.change(typed)
    try {
      const reply = await own.whileSending(sent, () => props.onSend(details, edited))
      // its own first attempt may have been the save that came before
      if (reply && !reply.isSaved && !includesEdits(reply.stored.values, sent)) {
        if (!isLeft.current) return mergeWith(reply.stored, sent)
        // what came first may be the save of the next form
        tellNotSaved(sent, 'errors:PROFILE_CHANGED', conflict)
        return false
      }
      noteReply(reply?.stored, typed)
    } catch (error) {
      noteFailed(error, sent)
    }
    return false
  }

  /** @param stored undefined if the form is left for another screen */
  const noteReply = (stored: Saved<Values> | undefined, typed: Values) => {
    setRestored(false)
    const present = structuredClone(form.getValues())
    const isTypedSince = Object.keys(changed(present, typed)).length > 0
    if (isLeft.current) {
      if (stored) own.noteSavedOnceLeft(stored)
      return props.onSent?.(!isTypedSince)
    }
    if (!stored && !isTypedSince) own.remove()
    // a reset draws lists anew, and the focus in them would be lost
    if (stored && (isTypedSince || fieldOf(document.activeElement) !== '')) {
      own.noteSaved({ values: typed, version: stored.version })
      takeOver(stored, document.activeElement)
    } else if (stored) {
      // before the form has them, or they would be stored as a draft
      own.noteSaved(stored)
      form.reset(stored.values)
    }
    if (isTypedSince) own.change(form.getValues())
    props.onSent?.(!isTypedSince)
  }

  const noteFailed = (error: unknown, sent: Sent<Values>) => {
    const isDecided = isApiError(error) && !error.isOutcomeUnknown
    if (isLeft.current) {
      const tell = () => reasonOf(error)
      return isDecided ? tellNotSaved(sent, { error }, tell) : errorToast({ error }, tell())
    }
    if (isDecided) own.noteNotSaved(sent)
    refuse(error, changed(form.getValues(), sent.values))
    if (edits.waiting) takeOver(edits.waiting, document.activeElement)
  }

  const submit = async (event?: FormEvent) => {
    // “Saved” from an earlier submit must not stand beside a new error
    toasts.dismiss()
    const focused = document.activeElement?.getAttribute('name')
    let isOvertaken = false
    const send = form.handleSubmit(async (details) => {
      isOvertaken = await save(details)
    })
    await send(event)
    for (let retries = 0; isOvertaken; retries += 1) {
      if (retries === SAVE_RETRIES) return noteConflict()
      isOvertaken = false
      await send(event)
    }
    // a list that has other rows now was drawn anew
    if (focused && document.activeElement === document.body) form.setFocus(focused as Path<Values>)
  }

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        // a field is validated when it is left, not when its screen is
        onBlurCapture={(event) => {
          if (isScreenLeaving()) event.stopPropagation()
          else if (edits.waiting && !isSubmitting) takeOver(edits.waiting, event.relatedTarget)
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

type Subscribe<Values extends FieldValues> = ReturnType<typeof useForm<Values>>['subscribe']

const hasParts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The field of the form in which the focus is, also on a button of a team; '' if it is in none. */
function fieldOf(focus: Element | null): string {
  const named = focus?.hasAttribute('name') ? focus : focus?.closest('fieldset')?.querySelector('[name]')
  return named?.getAttribute('name')?.split('.')[0] ?? ''
}

/** Stores every change on the device at once, and removes the draft when it equals the saved values. Returns whether the last one is kept. */
function useDraft<Values extends FieldValues>(subscribe: Subscribe<Values>, own: OwnDraft<Values>): boolean {
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    const store = ({ values }: { values: Values }) => {
      own.change(values)
      void own.isKept.then((isNowKept) => {
        setKept(isNowKept)
        noteInputKept(own, isNowKept || !own.isOpen)
      })
    }
    own.open()
    const unsubscribe = subscribe({ formState: { values: true }, callback: store })
    return () => {
      unsubscribe()
      own.close()
      noteInputKept(own, true)
    }
  }, [subscribe, own])
  return isKept
}
