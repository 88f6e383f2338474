import { loadOnce } from '#app/ui/browser/load-once.ts'

/** The store functions that use Dexie: loaded after the first question is painted, or when first needed. docs/decisions/0015 */
export const loadDexie = loadOnce(async () => {
  // alone first: all of them are in one file, and each import of a missing file asks for it several times
  const { openDatabase } = await import('./db.ts')
  const [instances, answers, reads, { clearErased, clearRows }, { noteSession }] = await Promise.all([
    import('./dexie-instances.ts'),
    import('./dexie-answers.ts'),
    import('./dexie-reads.ts'),
    import('./clear-rows.ts'),
    import('./last-session.ts'),
  ])
  return { openDatabase, ...instances, ...answers, ...reads, clearErased, clearRows, noteSession }
})
