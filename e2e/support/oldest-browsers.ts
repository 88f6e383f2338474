import type { BrowserContext } from '@playwright/test'
import { newerApis } from '#tools/browser-support.ts'

/** The first ones are needed by the browser's own security policy, the last by Playwright. */
const NEEDED_HERE = /^[Tt]rustedType|^Trusted(?:HTML|Script|ScriptURL)\b|^Element\.checkVisibility$/

/** Removes from every page what the oldest browsers of the build target lack. */
export async function takeNewerApisAway(context: BrowserContext): Promise<void> {
  const keys = newerApis().newer.filter((key) => !NEEDED_HERE.test(key))
  await context.addInitScript((keys) => {
    const objectOf = (value: unknown) => ((typeof value === 'object' && value) || typeof value === 'function' ? value : {})
    for (const key of keys) {
      const names = key.replace(/_static$/, '').split('.')
      const last = names.pop() ?? ''
      const owner = names.reduce<object>((place, name) => objectOf(Reflect.get(place, name)), globalThis)
      // the data marks static members only; any other is of instances, or of the window itself
      const places = key.endsWith('_static') ? [owner] : [owner, Reflect.get(owner, 'prototype'), names[0] === 'Window' ? globalThis : {}]
      for (const place of places) Reflect.deleteProperty(objectOf(place), last)
    }
  }, keys)
}
