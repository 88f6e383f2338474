import { mediaUrl } from '#app/api/base-url.ts'

/** Resolves a URL from the API: `/media/…` is on the media host, others are absolute. */
export function resolveMediaUrl(url: string): string {
  return url.startsWith('/media/') ? mediaUrl + url.slice('/media/'.length) : url
}
