import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { CloseIcon } from '#app/ui/layout/icons.tsx'

/** The sidebar on narrow screens: a native dialog, so that the browser traps the focus and returns it. */
export function Drawer({ isOpen, onClose, children }: { isOpen: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation(['shell', 'ui'])
  if (!isOpen) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on the backdrop is a click on the dialog; keyboard users close it with Escape
    <dialog
      ref={openModal}
      className="sidebar drawer"
      aria-label={t('MainMenu')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
      <button type="button" className="icon-button drawer-close" aria-label={t('ui:Close')} onClick={onClose}>
        <CloseIcon />
      </button>
    </dialog>
  )
}

/** The cleanup closes the dialog while it is still in the document: otherwise the browser does not return the focus. */
function openModal(drawer: HTMLDialogElement): () => void {
  drawer.showModal()
  return () => drawer.close()
}
