export type Values = Record<string, string | number | null | undefined>

/** Puts the values into a text with `{{names}}`. */
export function fillIn(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}
