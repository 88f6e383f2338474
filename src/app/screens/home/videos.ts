export interface Video {
  url: string
  thumbnail: string | undefined
}

/**
 * The videos that can be linked to: an entry is a string or {url, thumbnail}; what is neither, or whose address
 * is not a web address, is skipped. §8 Other
 * @param entries as they came; a stored reply is not trusted to have the right shape
 */
export function validVideos(entries: readonly unknown[] | null | undefined): Video[] {
  return (entries ?? []).flatMap((entry) => {
    const { url, thumbnail } = typeof entry === 'string' ? { url: entry } : ((entry ?? {}) as { url?: unknown; thumbnail?: unknown })
    return isWebAddress(url) ? [{ url, thumbnail: isWebAddress(thumbnail) ? thumbnail : undefined }] : []
  })
}

/** Absolute http(s), or a path on the own origin; `javascript:` and the like never become links. */
function isWebAddress(text: unknown): text is string {
  if (typeof text !== 'string') return false
  if (/^\/(?![/\\])/.test(text)) return true
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
