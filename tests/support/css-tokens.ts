import { readFileSync } from 'node:fs'

const FILE = new URL('../../src/app/ui/tokens.css', import.meta.url)

type Tokens = Record<string, string>

/** The custom properties of tokens.css, with the values that the cascade gives them in each theme. */
export function themes(): { light: Tokens; dark: Tokens; 'light, more contrast': Tokens; 'dark, more contrast': Tokens } {
  const css = readFileSync(FILE, 'utf8').replace(/\/\*.*?\*\//gs, '')
  const rootOf = (media: string): Tokens => {
    const start = media === '' ? 0 : css.indexOf(`@media ${media} {`)
    if (start < 0) throw new Error(`tokens.css has no ${media}`)
    const body = /:root \{(.*?)\}/s.exec(css.slice(start))?.[1] ?? ''
    return Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
  }
  const light = rootOf('')
  const dark = { ...light, ...rootOf('(prefers-color-scheme: dark)') }
  const more = rootOf('(prefers-contrast: more)')
  const moreDark = rootOf('(prefers-contrast: more) and (prefers-color-scheme: dark)')
  return { light, dark, 'light, more contrast': { ...light, ...more }, 'dark, more contrast': { ...dark, ...more, ...moreDark } }
}
