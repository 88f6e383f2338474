/** The values that the provider's form encoding can represent. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type FormFields = { [name: string]: FormValue }

type Branch = Map<string, Branch | string>

/** `line_items[0][price]=p` → `{line_items: [{price: 'p'}]}`, as the provider reads it. */
export function readForm(encoded: string): FormFields {
  const root: Branch = new Map()
  for (const [name, value] of new URLSearchParams(encoded)) insert(root, name.match(/[^[\]]+/g) ?? [name], value)
  return toFormValue(root, true) as FormFields
}

function insert(branch: Branch, path: readonly string[], value: string): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) {
    branch.set(first, value)
    return
  }
  const there = branch.get(first)
  const next: Branch = there instanceof Map ? there : new Map()
  branch.set(first, next)
  insert(next, rest, value)
}

function toFormValue(branch: Branch, isRoot = false): FormValue {
  const entries = [...branch].map(([name, value]) => [name, value instanceof Map ? toFormValue(value) : value] as const)
  const isList = !isRoot && entries.every(([name]) => /^\d+$/.test(name))
  if (isList) return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
  // without a prototype, so that `__proto__` is a name like any other
  const fields: FormFields = Object.create(null)
  for (const [name, value] of entries) fields[name] = value
  return fields
}
