import * as z from 'zod/mini'

/** An id or a name of the card provider, which the database can store and find. */
export const providerText = z.string().check(z.regex(/^[!-~]{1,255}$/))
