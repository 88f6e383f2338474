import { LANGUAGE_KEY, SHOWN_LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { LANGUAGES, rowOf, type Language } from '#contract/languages.ts'

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
    shown ??= show(words.TryAgain, language())
    if (!shown) return
    const { count, told, again, others } = shown
    // it would include what replied in a file's place
    count.hidden = trouble === 'foreign'
    count.textContent = words.LoadingFiles.replace('{{here}}', String(here)).replace('{{all}}', String(all))
    // announced once per failure
    const text = trouble ? words[trouble === 'weak' ? 'WeakRetrying' : 'ForeignRetrying'] : ''
    if (told.textContent !== text) told.textContent = text
    for (const button of [again, ...others]) button.hidden = !trouble
    again.onclick = retry
  }
}

/** Undefined if the app has already replaced the first paint. */
function show(retryWord: string, language: Language) {
  const around = document.querySelector('.first-paint')
  if (!around) return undefined
  const box = document.createElement('div')
  const count = document.createElement('p')
  const told = document.createElement('p')
  const again = hiddenButton(retryWord)
  // its own files alone may be missing
  const others = LANGUAGES.filter((one) => one !== language).map((one) =>
    Object.assign(hiddenButton(rowOf(one).name), { lang: one, onclick: () => reloadIn(one) }),
  )
  box.className = 'first-paint-progress'
  told.setAttribute('role', 'status')
  box.append(count, told, again, ...others)
  around.append(box)
  return { count, told, again, others }
}

function hiddenButton(text: string): HTMLButtonElement {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'button', textContent: text, hidden: true })
  return button
}

function reloadIn(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, language)
    sessionStorage.removeItem(SHOWN_LANGUAGE_KEY)
  } catch {
    // a browser that stores nothing: it is asked in its own language again
  }
  location.reload()
}
