import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { MediaError, type Media } from './media.ts'

interface S3Settings {
  /** of any S3-compatible store; undefined: Amazon's in the region */
  endpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** until a reply of the store begins, and between two parts of it */
  timeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 3_000
const TIMEOUT_MS = 10_000

/** Pictures in an S3-compatible bucket, to which browsers upload directly. docs/decisions/0017-pictures.md */
export function s3Media({ endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey, timeoutMs = TIMEOUT_MS }: S3Settings): Media {
  const client = new S3Client({
    region,
    // stores other than Amazon's have no host name per bucket
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    // a browser could not send the checksum that a signed URL would require
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      // a store may send a part of its reply and then nothing more
      socketTimeout: timeoutMs,
    },
    maxAttempts: 2,
  })
  const write: Media['write'] = (Key, Body, ContentType, signal) =>
    asked(async () => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }), signal ? { abortSignal: signal } : {})
    })
  return {
    // a store compares the headers that are signed: a file of another type or length does not match
    presign: (Key, { contentType: ContentType, bytes: ContentLength }, expiresIn) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentType, ContentLength }), {
        expiresIn,
        signableHeaders: new Set(['content-type', 'content-length']),
      }),
    receive: async (path, { content, contentType }, bytesMaximum) => {
      const body = await wholeUpTo(content, bytesMaximum)
      if (body === undefined) return 'too-large'
      await write(path, body, contentType)
      return 'received'
    },
    read: (Key, bytesMaximum, signal) =>
      asked(async () => {
        const abort = new AbortController()
        const abortSignal = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal
        try {
          // a proxy may send it without its length
          const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal })
          if (ContentLength > bytesMaximum) return 'too-large'
          // in Node it is a stream
          return (await wholeUpTo(Body as Readable, bytesMaximum)) ?? 'too-large'
        } catch (error) {
          if (error instanceof NoSuchKey) return 'absent'
          throw error
        } finally {
          abort.abort()
        }
      }),
    write,
    remove: (Key) =>
      asked(async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key }))
      }),
    async *list(folder) {
      try {
        for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${folder}/` })) {
          for (const { Key, LastModified } of page.Contents ?? [])
            if (Key !== undefined && LastModified) yield { path: Key, at: LastModified }
        }
      } catch (error) {
        throw mediaErrorOf(error)
      }
    },
  }
}

/** undefined: it is larger. It is read to its end all the same, so that the sender gets the reply. */
async function wholeUpTo(content: Readable, maximum: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maximum) chunks.push(chunk)
  }
  return bytes <= maximum ? Buffer.concat(chunks) : undefined
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw mediaErrorOf(error)
  }
}

function mediaErrorOf(error: unknown): MediaError {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
  return new MediaError(error, status >= 400 && status < 500)
}
