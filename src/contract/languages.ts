/** The languages there are words in; the first is the fallback. PRODUCT-9 */
export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]
