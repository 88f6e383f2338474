import type { Readable } from 'node:stream'

/** Where pictures are stored: an object store, or the sandbox's folder. A path is `folder/name`. A `signal` ends a call that takes too long, with a MediaError. */
export interface Media {
  /** Stores what a browser sends to this server, unless it is larger than the maximum: then nothing is stored. */
  receive: (path: string, file: { content: Readable; contentType: string }, bytesMaximum: number) => Promise<'received' | 'too-large'>
  /** A URL of the store itself that accepts one file of exactly this type and size by PUT, and expires after `seconds`. null: there is none */
  readonly presign: ((path: string, file: { contentType: string; bytes: number }, seconds: number) => Promise<string>) | null
  /** A whole file; one larger than the maximum is not read at all. */
  read: (path: string, bytesMaximum: number, signal?: AbortSignal) => Promise<Buffer | 'absent' | 'too-large'>
  write: (path: string, content: Buffer, contentType: string, signal?: AbortSignal) => Promise<void>
  /** Idempotent. */
  remove: (path: string) => Promise<void>
  /** The files of a folder, in no particular order; `at` is when each was stored. */
  list: (folder: string) => AsyncIterable<{ path: string; at: Date }>
}

/** The object store could not be reached, failed, or refused the request. */
export class MediaError extends Error {
  /** it replied that it will not do this; something else may still work */
  readonly isRefusal: boolean

  constructor(cause: unknown, isRefusal = false) {
    super('The object store did not reply as expected.', { cause })
    this.isRefusal = isRefusal
  }
}
