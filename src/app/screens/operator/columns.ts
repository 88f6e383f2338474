import type { TableColumn } from '#app/ui/tables/data-table.tsx'

/** Columns in the order of their names. @param widths px at the default text size; together at most 752, so that a tablet shows all of them */
export function columnsOf<Key extends string>(names: Record<Key, string>, widths: Record<NoInfer<Key>, number>): TableColumn<Key>[] {
  return (Object.keys(names) as Key[]).map((key) => ({ key, name: names[key], width: widths[key] }))
}
