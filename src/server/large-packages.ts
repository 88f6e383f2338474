import { registerHooks, type ResolveFnOutput } from 'node:module'

/** Packages with some hundreds of files or `exports`. */
const named = /^(?:drizzle-orm|date-fns|jose|stripe|zod)(?:\/|$)/
/** Their folders in which all `.js` files are modules. */
const within = /\/node_modules\/(?:drizzle-orm|date-fns|jose|stripe\/esm|zod)\//

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
