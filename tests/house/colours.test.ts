import { expect, it, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { themes } from '#tests/support/css-tokens.ts'
import { webManifest } from '#tools/web-manifest.ts'
import { read } from './source-files.ts'

const { light, dark } = themes()

it("colours the browser's bar and the installed app as the portal's header", () => {
  const bars = [...read('index.html').matchAll(/name="theme-color" content="([^"]+)" media="\(prefers-color-scheme: (\w+)\)"/g)]
  expect(Object.fromEntries(bars.map(([, colour, scheme]) => [scheme, colour]))).toEqual({ light: light['pitch'], dark: dark['pitch'] })
  for (const language of LANGUAGES)
    expect(webManifest(language)).toMatchObject({ theme_color: light['pitch'], background_color: light['pitch'] })
})

// mails, drawings and printed sheets cannot read tokens.css, so each has a copy
test.each([
  ['src/server/mailer/messages.ts', 'background:', 'action'],
  ['src/app/parts/grass.css', '--chalk: ', 'pitch'],
  ['src/tools/icons.ts', "darkStripe = '", 'action-strong'],
  ['src/tools/icons.ts', "lightStripe = '", 'pitch'],
  ['src/tools/icons.ts', "lines = '", 'ground'],
  ['src/server/report/sheet.ts', "green = '", 'pitch'],
  ['src/server/report/sheet.ts', "darkGreen = '", 'action-strong'],
  ['src/server/report/sheet.ts', "ink = '", 'ink'],
  ['src/server/report/sheet.ts', "softInk = '", 'ink-soft'],
  ['src/server/report/sheet.ts', "chalk = '", 'chalk'],
  ['src/server/report/sheet.ts', "softGreen = '", 'action-soft'],
  ['src/server/report/sheet.ts', "line = '", 'line-strong'],
])('%s has after "%s" the colour --%s', (path, before, token) => {
  expect(read(path)).toContain(before + light[token])
})
