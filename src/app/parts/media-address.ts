import { mediaUrl } from '#app/api/base-url.ts'

/** An address as the API gives it: a path of the media host, wherever that is, or one elsewhere. */
export function mediaAddress(address: string): string {
  return address.startsWith('/media/') ? mediaUrl + address.slice('/media/'.length) : address
}
