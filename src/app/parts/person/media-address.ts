import { mediaUrl } from '#app/api/base-url.ts'

/** A URL as the API gives it: a path on the media host, or an absolute one. */
export function mediaAddress(address: string): string {
  return address.startsWith('/media/') ? mediaUrl + address.slice('/media/'.length) : address
}
