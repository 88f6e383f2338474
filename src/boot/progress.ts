import type { Language } from '#contract/languages.ts'

/** They stand in the page itself, for nothing else has come yet. */
const texts = import.meta.glob<Texts>('/locales/*/start.json', { eager: true, import: 'default' })

interface Texts {
  LoadingFiles: string
  WeakRetrying: string
  TryAgain: string
}

export interface Progress {
  here: number
  all: number
  /** worth a word by now */
  isLong: boolean
  isWeak: boolean
  retry: () => void
}

/** What the page says while its files come: how many are here and, once the line fails, that they are asked for again. */
export function progressIn(language: () => Language): (progress: Progress) => void {
  let shown: ReturnType<typeof show> | undefined
  return ({ here, all, isLong, isWeak, retry }) => {
    if (!isLong && !isWeak) return
    const words = texts[`/locales/${language()}/start.json`]
    if (!words) return
    shown ??= show(words.TryAgain)
    if (!shown) return
    const { count, weak, again } = shown
    count.textContent = words.LoadingFiles.replace('{{here}}', String(here)).replace('{{all}}', String(all))
    // said once for each trouble
    const told = isWeak ? words.WeakRetrying : ''
    if (weak.textContent !== told) weak.textContent = told
    again.hidden = !isWeak
    again.onclick = retry
  }
}

/** Undefined once the app has drawn itself in its place. */
function show(retryWord: string) {
  const around = document.querySelector('.first-paint')
  if (!around) return undefined
  const box = document.createElement('div')
  const count = document.createElement('p')
  const weak = document.createElement('p')
  const again = document.createElement('button')
  box.className = 'first-paint-progress'
  weak.setAttribute('role', 'status')
  Object.assign(again, { type: 'button', className: 'button', textContent: retryWord, hidden: true })
  box.append(count, weak, again)
  around.append(box)
  return { count, weak, again }
}
