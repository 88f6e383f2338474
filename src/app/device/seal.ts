import { gcm } from '@noble/ciphers/aes.js'
import type { FileContent, FileHeader } from '#contract/rules/answers-file.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The sealed part of an answers file: a compact JWE. Web Crypto does not work on plain http, so this is done in script.
 * @param fileSeal of the instance: the server's name, a dot, and the key
 */
export function seal(fileSeal: string, about: Omit<FileHeader, 'alg' | 'enc' | 'iss'>, content: FileContent): string {
  const [iss = '', key = ''] = fileSeal.split('.')
  const header: FileHeader = { alg: 'dir', enc: 'A256GCM', iss, ...about }
  const encoder = new TextEncoder()
  const protectedPart = base64url(encoder.encode(JSON.stringify(header)))
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const both = gcm(bytesOf(key), iv, encoder.encode(protectedPart)).encrypt(encoder.encode(JSON.stringify(content)))
  const text = both.subarray(0, -TAG_BYTES)
  const tag = both.subarray(-TAG_BYTES)
  return [protectedPart, '', base64url(iv), base64url(text), base64url(tag)].join('.')
}

function base64url(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}
