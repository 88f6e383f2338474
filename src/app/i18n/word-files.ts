/** One JSON file per language and area, each a chunk of its own that the service worker caches: switching the language works offline. */
const files = import.meta.glob<Record<string, string>>(
  ['/locales/*/*.json', '!/locales/*/{server,mail,report,start,gallery,manifest}.json'],
  {
    import: 'default',
  },
)

/** Undefined: there is no such area, or the page is about to reload for a lost part. */
export async function loadWords(language: string, area: string): Promise<Record<string, string> | undefined> {
  return files[`/locales/${language}/${area}.json`]?.()
}
