import { useTranslation } from '#app/i18n/use-translation.ts'
import { toast } from '#app/ui/toast.ts'

interface Props {
  /** what did not go, a line each */
  rest: string
  onKeep: (rest: string) => void
}

/** After a run: what is left, alone in the list or to be taken elsewhere. */
export function AssignManyRest({ rest, onKeep }: Props) {
  const { t } = useTranslation('home')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(rest)
      toast(t('AssignManyCopied'))
    } catch {
      // no clipboard: alone in the list, it can be marked and copied by hand
      onKeep(rest)
    }
  }
  return (
    <p className="row">
      <button type="button" className="text-button" onClick={() => onKeep(rest)}>
        {t('AssignManyKeepRest')}
      </button>
      <button type="button" className="text-button" onClick={() => void copy()}>
        {t('AssignManyCopyRest')}
      </button>
    </p>
  )
}
