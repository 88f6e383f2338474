export interface Video {
  url: string
  thumbnail: string | undefined
  /** numbered without one */
  title: string | undefined
}

/**
 * The videos that can be linked to: an entry is a string or {url, thumbnail, title}; what is neither, or whose address
 * is not a web address, is skipped. HOME-11
 * @param entries as they came; a stored reply is not trusted to have the right shape
 */
export function validVideos(entries: readonly unknown[] | null | undefined): Video[] {
  return (entries ?? []).flatMap((entry) => {
    const { url, thumbnail, title } = typeof entry === 'string' ? { url: entry } : ((entry ?? {}) as Partial<Record<string, unknown>>)
    if (!isWebAddress(url)) return []
    return [
      {
        url,
        thumbnail: isWebAddress(thumbnail) ? thumbnail : undefined,
        title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
      },
    ]
  })
}

/** Absolute http(s), or a path on the own origin; `javascript:` and the like never become links. */
function isWebAddress(text: unknown): text is string {
  if (typeof text !== 'string') return false
  if (/^\/(?![/\\])/.test(text)) return true
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
