import type { reference } from '#contract/reference.ts'
import type { Handler } from '../http/handler.ts'
import list from './countries.json' with { type: 'json' }

/** All countries. `node src/tools/cities.ts --countries` writes their list. */
export const countries: Handler<typeof reference.countries> = async () => ({ countries: list })
