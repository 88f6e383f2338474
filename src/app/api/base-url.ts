const root = (given: string | undefined, own: string) => `${(given || own).replace(/\/+$/, '')}/`

/** Where the API is, with a slash at the end: `VITE_API_URL`, by default `/api/` of this origin. */
export const apiUrl = root(import.meta.env.VITE_API_URL, '/api')

/** Where city lists, pictures and samples are: `VITE_MEDIA_URL`, by default `/media/` of this origin. */
export const mediaUrl = root(import.meta.env.VITE_MEDIA_URL, '/media')
