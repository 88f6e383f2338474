import { mediaUrl } from '#app/api/base-url.ts'

/** Resolves a URL from the API: `/media/…` is on the media host, others are absolute. */
export function mediaAddress(address: string): string {
  return address.startsWith('/media/') ? mediaUrl + address.slice('/media/'.length) : address
}
