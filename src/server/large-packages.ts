import { registerHooks } from 'node:module'

/** Packages that list some hundreds of `exports`, and whose files are all modules. */
const LARGE = /\/node_modules\/(?:drizzle-orm|date-fns)\//

/**
 * Resolves the relative imports within large packages, once called. For each of their files Node otherwise parses their list anew, to learn that
 * it is a module: half a second, and 200 MB, of every start. docs/decisions/0062
 */
export function resolveLargePackages(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context
      if (parentURL === undefined || !LARGE.test(parentURL) || !/^\.\.?\/.*\.js$/.test(specifier)) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    },
  })
}
