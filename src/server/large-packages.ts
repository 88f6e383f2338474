import { registerHooks, type ResolveFnOutput } from 'node:module'

/** Packages that list some hundreds of `exports`, and whose `.js` files are all modules. */
const LARGE = 'drizzle-orm|date-fns'
const named = new RegExp(`^(?:${LARGE})(?:/|$)`)
const within = new RegExp(`/node_modules/(?:${LARGE})/`)

/**
 * Resolves imports of, and within, large packages, once called. Otherwise Node parses the package's list again for each import: half a second,
 * and 200 MB, of every start. docs/decisions/0062
 */
export function resolveLargePackages(): void {
  const resolved = new Map<string, ResolveFnOutput>()
  registerHooks({
    resolve(specifier, context, next) {
      if (named.test(specifier)) {
        const key = [specifier, ...context.conditions].join()
        const found = resolved.get(key) ?? next(specifier, context)
        resolved.set(key, found)
        return { ...found, shortCircuit: true }
      }
      const { parentURL } = context
      if (parentURL === undefined || !within.test(parentURL) || !/^\.\.?\/.*\.js$/.test(specifier)) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    },
  })
}
