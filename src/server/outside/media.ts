import type { Readable } from 'node:stream'

/** Where pictures are stored: an object store, or the sandbox's folder. A path is `folder/name`. */
export interface Media {
  readonly uploads: UploadsElsewhere | UploadsHere
  /** A whole file; one larger than the maximum is not read at all. */
  read: (path: string, bytesMaximum: number) => Promise<Buffer | 'absent' | 'too-large'>
  write: (path: string, content: Buffer, contentType: string) => Promise<void>
  /** Idempotent. */
  remove: (path: string) => Promise<void>
  /** The files of a folder, in no particular order; `at` is when each was stored. */
  list: (folder: string) => AsyncIterable<{ path: string; at: Date }>
}

/** Browsers upload to the store itself, at a signed URL. */
interface UploadsElsewhere {
  /** A URL that accepts one file of exactly this type by PUT, for so many seconds. */
  presign: (path: string, contentType: string, seconds: number) => Promise<string>
}

/** Browsers upload to this server. */
export interface UploadsHere {
  /** Stores the file, unless it is larger than the maximum: then nothing is stored. */
  receive: (path: string, content: Readable, bytesMaximum: number) => Promise<'received' | 'too-large'>
}

/** The object store could not be reached, failed, or refused the request. */
export class MediaError extends Error {
  constructor(cause: unknown) {
    super('The object store did not reply as expected.', { cause })
  }
}
