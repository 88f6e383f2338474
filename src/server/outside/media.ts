import type { Readable } from 'node:stream'

/** Where pictures are kept: an object store, or a folder of our own. A path is `folder/name`. */
export interface Media {
  readonly uploads: UploadsElsewhere | UploadsHere
  /** A file whole; one of more than so many bytes is not read at all. */
  read: (path: string, bytesMaximum: number) => Promise<Buffer | 'absent' | 'too-large'>
  write: (path: string, content: Buffer, contentType: string) => Promise<void>
  /** Harmless to repeat. */
  remove: (path: string) => Promise<void>
  /** What a folder holds, in no order; `at` is when it came. */
  list: (folder: string) => AsyncIterable<{ path: string; at: Date }>
}

/** The store itself takes a file, at an address that says which one. */
export interface UploadsElsewhere {
  /** An address that takes one file of exactly this type by PUT, for so many seconds. */
  presign: (path: string, contentType: string, seconds: number) => Promise<string>
}

/** This server takes a file and hands it on. */
export interface UploadsHere {
  /** Keeps what arrives, unless it is more than so many bytes; then nothing of it stays. */
  receive: (path: string, content: Readable, bytesMaximum: number) => Promise<'received' | 'too-large'>
}

/** The store did not do what it was asked: unreachable, failing, or refusing us. */
export class MediaError extends Error {
  constructor(cause: unknown) {
    super('The object store did not answer as it should.', { cause })
  }
}
