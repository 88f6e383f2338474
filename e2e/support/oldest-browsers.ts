import type { BrowserContext } from '@playwright/test'
import { newerApis } from '#tools/browser-support.ts'

/** The security policy in this browser asks for the first ones, and Playwright for the last. */
const NEEDED_HERE = /^[Tt]rustedType|^Trusted(?:HTML|Script|ScriptURL)\b|^Element\.checkVisibility$/

/** Takes from every page what the oldest browsers of the build target do not have. */
export async function takeNewerApisAway(context: BrowserContext): Promise<void> {
  const keys = newerApis().newer.filter((key) => !NEEDED_HERE.test(key))
  await context.addInitScript((keys) => {
    const objectOf = (value: unknown) => ((typeof value === 'object' && value) || typeof value === 'function' ? value : {})
    for (const key of keys) {
      const names = key.replace(/_static$/, '').split('.')
      const last = names.pop() ?? ''
      const owner = names.reduce<object>((place, name) => objectOf(Reflect.get(place, name)), globalThis)
      // of instances, which the data marks only by what it does not say of statics; and of the window itself
      const places = key.endsWith('_static') ? [owner] : [owner, Reflect.get(owner, 'prototype'), names[0] === 'Window' ? globalThis : {}]
      for (const place of places) Reflect.deleteProperty(objectOf(place), last)
    }
  }, keys)
}
