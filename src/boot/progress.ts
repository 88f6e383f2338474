import type { Language } from '#contract/languages.ts'

/** Built into the page, since nothing else has loaded yet. */
const texts = import.meta.glob<Texts>('/locales/*/start.json', { eager: true, import: 'default' })

interface Texts {
  LoadingFiles: string
  WeakRetrying: string
  ForeignRetrying: string
  TryAgain: string
}

export interface Progress {
  /** number of files that have arrived, and of all files */
  here: number
  all: number
  /** loading has taken long enough to show its progress */
  isLong: boolean
  /** why files are being retried. weak: the connection · foreign: what replies is not the app's server, or does not have them */
  trouble: 'weak' | 'foreign' | undefined
  retry: () => void
}

/** Shows how many files have arrived and, if some do not, why, and that they are being retried. */
export function progressIn(language: () => Language): (progress: Progress) => void {
  let shown: ReturnType<typeof show> | undefined
  return ({ here, all, isLong, trouble, retry }) => {
    if (!isLong && !trouble) return
    const words = texts[`/locales/${language()}/start.json`]
    if (!words) return
    shown ??= show(words.TryAgain)
    if (!shown) return
    const { count, told, again } = shown
    // it would include what replied in a file's place
    count.hidden = trouble === 'foreign'
    count.textContent = words.LoadingFiles.replace('{{here}}', String(here)).replace('{{all}}', String(all))
    // announced once per failure
    const text = trouble ? words[trouble === 'weak' ? 'WeakRetrying' : 'ForeignRetrying'] : ''
    if (told.textContent !== text) told.textContent = text
    again.hidden = !trouble
    again.onclick = retry
  }
}

/** Undefined if the app has already replaced the first paint. */
function show(retryWord: string) {
  const around = document.querySelector('.first-paint')
  if (!around) return undefined
  const box = document.createElement('div')
  const count = document.createElement('p')
  const told = document.createElement('p')
  const again = document.createElement('button')
  box.className = 'first-paint-progress'
  told.setAttribute('role', 'status')
  Object.assign(again, { type: 'button', className: 'button', textContent: retryWord, hidden: true })
  box.append(count, told, again)
  around.append(box)
  return { count, told, again }
}
