/** The field of the form in which the focus is, also on a button of a team; '' if it is in none. */
export function focusedField(focus: Element | null): string {
  const named = focus?.hasAttribute('name') ? focus : focus?.closest('fieldset')?.querySelector('[name]')
  return named?.getAttribute('name')?.split('.')[0] ?? ''
}
