/** How a date reads, as date-fns writes it: "1st Jan 2026", "1er janv. 2026". WORDS-4 */
export const DATE_PATTERN = 'do MMM yyyy'
