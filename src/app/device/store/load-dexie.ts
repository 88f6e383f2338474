import { loadOnce } from '#app/ui/browser/load-once.ts'

/** The store functions that use Dexie: loaded after the first question is painted, or when first needed. docs/decisions/0015 */
export const loadDexie = loadOnce(async () => {
  const [{ openDatabase }, instances, answers, reads, { clearErased, clearRows }, { noteSession }] = await Promise.all([
    import('./db.ts'),
    import('./dexie-instances.ts'),
    import('./dexie-answers.ts'),
    import('./dexie-reads.ts'),
    import('./clear-rows.ts'),
    import('./last-session.ts'),
  ])
  return { openDatabase, ...instances, ...answers, ...reads, clearErased, clearRows, noteSession }
})
