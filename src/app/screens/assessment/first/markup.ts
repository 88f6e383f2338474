/** HTML with every value escaped; values that are themselves `markup`, and lists of them, are put in as they are. Line breaks are dropped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }

export function markup(parts: TemplateStringsArray, ...values: (Markup | readonly Markup[] | string | number | boolean)[]): Markup {
  return new Markup(parts.map((part, index) => part.replace(/\n\s*/g, '') + textOf(values[index] ?? '')).join(''))
}

function textOf(value: Markup | readonly Markup[] | string | number | boolean): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)
}
