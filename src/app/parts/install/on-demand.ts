import { loadWordsAhead } from '#app/i18n/i18n.ts'

/** How to install the app, with its words: only after a saved section, so no first screen waits for it. */
export async function loadInstallHelp() {
  const [module, areWords] = await Promise.all([import('./install-note.tsx'), loadWordsAhead('install')])
  // the page is about to reload for a lost part (shell/reload-for-lost-parts.ts)
  if (!module || !areWords) throw new Error('The page reloads')
  return module
}
