import type { MouseEvent } from 'react'

/**
 * Props of a button that takes the focus on click, not on press: the field that loses the focus may show an error, which would move
 * the button away from under the pointer.
 */
export const deferBlur = {
  onMouseDown: (event: MouseEvent) => {
    event.preventDefault()
  },
  onClick: (event: MouseEvent<HTMLElement>) => {
    event.currentTarget.focus()
  },
}
