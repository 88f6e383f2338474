/** A PostgreSQL array as text, of whatever type the statement makes of it: `unnest(${arrayLiteral(ids)}::uuid[])`. */
export function arrayLiteral(elements: readonly (string | number | null)[]): string {
  let text = ''
  for (const element of elements) text += `${text && ','}${typeof element === 'string' ? quoted(element) : (element ?? 'null')}`
  return `{${text}}`
}

function quoted(text: string): string {
  // most texts have neither, and a search costs less than a replacement
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
