import type { FormEvent } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { isApiError } from '#app/api/api-error.ts'
import { fieldErrorsOf, messageFor } from '#app/api/message-for.ts'
import { reachesServer } from '#app/api/network.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import type { WordsKey } from '#app/ui/feedback/recent-errors.ts'
import { errorToast, toasts } from '#app/ui/feedback/toast.ts'
import type { OwnDraft } from './draft.ts'
import type { Edited, Saved } from './edits.ts'
import { focusedField } from './focused-field.ts'
import { changedParts, includesEdits, type Sent } from './merge.ts'
import type { SavedElsewhere } from './use-saved-elsewhere.ts'

/** of one submit, while other devices save, too */
const SAVE_RETRIES = 3

/** What a form says about how it is saved. */
export interface SaveOptions<Values extends FieldValues, Output> {
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
}

interface FormParts<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>
  own: OwnDraft<Values>
  savedElsewhere: SavedElsewhere<Values>
  offlineReason: string
  /** it is saved, or the form is left for another screen */
  onReplied: () => void
}

/**
 * The submit of a details form: sends it while the API can be reached, merges and sends again if another save came first, and shows the
 * server's errors beside their fields; in a toast once the form is left.
 */
export function useDetailsSave<Values extends FieldValues, Output>(
  { failure, headline, fieldOnScreen, onSend, onSent }: SaveOptions<Values, Output>,
  { form, own, savedElsewhere, offlineReason, onReplied }: FormParts<Values, Output>,
): (event?: FormEvent) => Promise<void> {
  const { t, i18n } = useTranslation('details')
  const isLeft = useIsGone()
  const { edits } = own
  const { takeOver, hasOwnParts } = savedElsewhere

  const reasonOf = (error: unknown) => {
    const message = headline ? `${headline} ${messageFor(error)}` : messageFor(error, failure)
    return own.mayBeSaved() ? `${message} ${t('MayBeSaved')}` : message
  }

  /** @param since what was typed since it was sent */
  const showRefusal = (error: unknown, since: Partial<Values>) => {
    const named = Object.entries(fieldErrorsOf(error)).map(([field, message]) => ({ path: fieldOnScreen?.(field) ?? field, message }))
    // a path of another form has no value in this one
    const known = named.filter(({ path }) => form.getValues(path as Path<Values>) !== undefined)
    const isElsewhere = Object.keys(since).length > 0
    known.forEach(({ path, message }, index) => {
      // mended meanwhile
      if ((path.split('.')[0] ?? '') in since) return
      form.setError(path as Path<Values>, { type: 'server', message }, { shouldFocus: index === 0 && !isElsewhere })
    })
    if (known.length > 0) return
    form.setError('root', { type: 'server', message: reasonOf(error) })
  }

  const conflict = () => i18n.t('errors:PROFILE_CHANGED')
  const showConflict = () => form.setError('root', { type: 'server', message: conflict() })
  /** In a toast, as the form is left. Nothing is told of a save that a later one has replaced. */
  const tellNotSaved = (sent: Sent<Values>, failed: WordsKey | { error: unknown }, text: () => string) => {
    if (own.noteNotSaved(sent)) errorToast(failed, text())
  }

  /** Another save came first. What was typed since this one was sent is not saved unasked. @returns whether to send it again */
  const mergeWith = (stored: Saved<Values>, sent: Sent<Values>): boolean => {
    const isTypedSince = Object.keys(changedParts(form.getValues(), sent.values)).length > 0
    // with what was sent, a part of which may be saved by an attempt before
    takeOver(stored, isTypedSince || !hasOwnParts(focusedField(document.activeElement)) ? document.activeElement : null)
    own.noteNotSaved(sent)
    if (isTypedSince) showConflict()
    return !isTypedSince
  }

  /** @param stored undefined if the form is left for another screen */
  const noteReply = (stored: Saved<Values> | undefined, typed: Values) => {
    onReplied()
    const present = structuredClone(form.getValues())
    const isTypedSince = Object.keys(changedParts(present, typed)).length > 0
    if (isLeft.current) {
      if (stored) own.noteSavedOnceLeft(stored)
      return onSent?.(!isTypedSince)
    }
    if (!stored && !isTypedSince) own.remove()
    // a reset draws lists anew, and the focus in them would be lost
    if (stored && (isTypedSince || focusedField(document.activeElement) !== '')) {
      own.noteSaved({ values: typed, version: stored.version })
      takeOver(stored, document.activeElement)
    } else if (stored) {
      // before the form has them, or they would be stored as a draft
      own.noteSaved(stored)
      form.reset(stored.values)
    }
    if (isTypedSince) own.change(form.getValues())
    onSent?.(!isTypedSince)
  }

  const noteFailed = (error: unknown, sent: Sent<Values>) => {
    const isDecided = isApiError(error) && !error.isOutcomeUnknown
    if (isLeft.current) {
      const tell = () => reasonOf(error)
      return isDecided ? tellNotSaved(sent, { error }, tell) : errorToast({ error }, tell())
    }
    if (isDecided) own.noteNotSaved(sent)
    showRefusal(error, changedParts(form.getValues(), sent.values))
    if (edits.waiting) takeOver(edits.waiting, document.activeElement)
  }

  /** @returns whether it is to be sent again, as another save came first */
  const save = async (details: Output): Promise<boolean> => {
    // the fields stay open meanwhile
    const typed = structuredClone(form.getValues())
    if (!(await reachesServer())) {
      announce(offlineReason)
      return false
    }
    const { edited, sent } = edits.noteSending(typed)
    // so that the draft knows of it, too
    own.change(typed)
    try {
      const reply = await own.whileSending(sent, () => onSend(details, edited))
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

  return async (event) => {
    // “Saved” from an earlier submit must not stand beside a new error
    toasts.dismiss()
    const focused = document.activeElement?.getAttribute('name')
    let mustSendAgain = false
    const send = form.handleSubmit(async (details) => {
      mustSendAgain = await save(details)
    })
    await send(event)
    for (let retries = 0; mustSendAgain; retries += 1) {
      if (retries === SAVE_RETRIES) return showConflict()
      mustSendAgain = false
      await send(event)
    }
    // a list that has other rows now was drawn anew
    if (focused && document.activeElement === document.body) form.setFocus(focused as Path<Values>)
  }
}
