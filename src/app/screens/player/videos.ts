export interface Video {
  url: string
  thumbnail: string | undefined
  /** if missing, the video is shown by its number */
  title: string | undefined
}

/**
 * The videos that can be linked to. An entry is a URL string or {url, thumbnail, title}; anything else, or an entry without a
 * web address, is skipped. HOME-11
 * @param entries not validated: a stored reply may have another shape
 */
export function validVideos(entries: readonly unknown[] | null | undefined): Video[] {
  return (entries ?? []).flatMap((entry) => {
    const { url, thumbnail, title } = typeof entry === 'string' ? { url: entry } : ((entry ?? {}) as Partial<Record<string, unknown>>)
    if (!isHttpUrl(url)) return []
    return [
      {
        url,
        thumbnail: isHttpUrl(thumbnail) ? thumbnail : undefined,
        title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
      },
    ]
  })
}

/** Absolute http(s), or a path on this origin; `javascript:` and the like never become links. */
function isHttpUrl(text: unknown): text is string {
  if (typeof text !== 'string') return false
  if (/^\/(?![/\\])/.test(text)) return true
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
