import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The part of S3 (path style) that the product uses: PUT, GET, DELETE, and ListObjectsV2 with one key a page. It checks the
 * Signature Version 4 of headers, query and body itself, and refuses unsigned requests.
 */
export interface FakeS3 {
  endpoint: string
  objects: Map<string, { body: Buffer; contentType: string; at: Date }>
  /** [method path status] of every request */
  log: string[]
  /** the status of every reply while it is set */
  failWith: number | undefined
  /** whether it accepts requests, or only those to remove or to write, and never replies */
  isSilent: boolean | 'to-removals' | 'to-writes'
  /** the only object that may not be removed */
  kept: string | undefined
  /** how objects are sent: with their length, without it, or half of them and then nothing more */
  sends: 'whole' | 'chunked' | 'half'
  /** whether the key may list, without which an object that is not there is refused like one that is forbidden */
  mayList: boolean
  /** which pages may upload, by CORS; undefined: none */
  allowedOrigin: string | undefined
  close: () => Promise<void>
}

export const S3_KEYS = {
  accessKeyId: 'AKIDTOUCHLINE',
  secretAccessKey: 'a secret of the store, long enough',
  region: 'eu-west-3',
  bucket: 'pictures',
}

const UNANSWERED: Record<string, string> = { 'to-removals': 'DELETE', 'to-writes': 'PUT' }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

interface Signed {
  credential: string
  signedHeaders: string
  signature: string
  date: string
  payloadHash: string
  expires: number | undefined
}

function signedParts(request: IncomingMessage, query: URLSearchParams): Signed | undefined {
  if (query.has('X-Amz-Signature')) {
    const of = (name: string) => query.get(`X-Amz-${name}`) ?? ''
    if (of('Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
    const [credential, signedHeaders, signature] = [of('Credential'), of('SignedHeaders'), of('Signature')]
    return { credential, signedHeaders, signature, date: of('Date'), payloadHash: 'UNSIGNED-PAYLOAD', expires: Number(of('Expires')) }
  }
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
    request.headers.authorization ?? '',
  )
  const [, credential = '', signedHeaders = '', signature = ''] = header ?? []
  const { 'x-amz-date': date = '', 'x-amz-content-sha256': payloadHash = '' } = request.headers
  return header
    ? { credential, signedHeaders, signature, date: String(date), payloadHash: String(payloadHash), expires: undefined }
    : undefined
}

/** undefined if the signature is right, else the error code of the refusal. */
function problemOf(request: IncomingMessage, body: Buffer): string | undefined {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
  const signed = signedParts(request, searchParams)
  if (!signed) return 'AccessDenied'
  const [keyId = '', day = '', region = '', service = '', end = ''] = signed.credential.split('/')
  if (keyId !== S3_KEYS.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== S3_KEYS.region || service !== 's3' || end !== 'aws4_request' || !signed.date.startsWith(day))
    return 'AuthorizationHeaderMalformed'
  const names = signed.signedHeaders.split(';')
  if (!names.includes('host')) return 'AccessDenied'
  const moment = Date.parse(signed.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const age = (Date.now() - moment) / 1000
  if (!(age < (signed.expires ?? 900)) || age < -900) return 'AccessDenied'
  if (signed.payloadHash !== 'UNSIGNED-PAYLOAD' && signed.payloadHash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const { method = '', headers } = request
  const right = signatureOf({ method, pathname, searchParams, headers }, signed, S3_KEYS.secretAccessKey)
  return right === signed.signature ? undefined : 'SignatureDoesNotMatch'
}

/** Signature Version 4 of a request. */
export function signatureOf(
  request: { method: string; pathname: string; searchParams: URLSearchParams; headers: IncomingMessage['headers'] },
  { credential, signedHeaders, date, payloadHash }: Pick<Signed, 'credential' | 'signedHeaders' | 'date' | 'payloadHash'>,
  secretAccessKey: string,
): string {
  const query = [...request.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const canonical = [request.method, request.pathname, query.join('&'), headers.join(''), signedHeaders, payloadHash].join('\n')
  const scope = credential.split('/').slice(1)
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secretAccessKey}`)
  return hmac(key, toSign).toString('hex')
}

export async function startFakeS3(): Promise<FakeS3> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const url = new URL(request.url ?? '', 'http://s3')
      const reply = (status: number, content: string | Buffer = '', contentType = 'application/xml') => {
        fake.log.push(`${request.method} ${url.pathname} ${status}`)
        response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(content) }).end(content)
      }
      const refuse = (status: number, code: string) => reply(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
      if (request.method === 'OPTIONS') {
        response.writeHead(200, fake.allowedOrigin === undefined ? {} : { 'access-control-allow-origin': fake.allowedOrigin }).end()
        return
      }
      if (fake.isSilent === true || request.method === UNANSWERED[String(fake.isSilent)]) return
      if (fake.failWith !== undefined) return refuse(fake.failWith, 'InternalError')
      const problem = problemOf(request, body)
      if (problem) return refuse(403, problem)
      const [, bucket, ...rest] = url.pathname.split('/')
      if (bucket !== S3_KEYS.bucket) return refuse(404, 'NoSuchBucket')
      const key = decodeURIComponent(rest.join('/'))
      if (key === '') return fake.mayList ? reply(200, page(url.searchParams)) : refuse(403, 'AccessDenied')
      const object = fake.objects.get(key)
      if (request.method === 'DELETE' && key === fake.kept) return refuse(403, 'AccessDenied')
      if (request.method === 'PUT') fake.objects.set(key, { body, contentType: request.headers['content-type'] ?? '', at: new Date() })
      else if (request.method === 'DELETE') fake.objects.delete(key)
      else if (!object) return fake.mayList ? refuse(404, 'NoSuchKey') : refuse(403, 'AccessDenied')
      else if (fake.sends === 'chunked') return response.writeHead(200, { 'content-type': object.contentType }).end(object.body)
      else if (fake.sends === 'half')
        return response.writeHead(200, { 'content-length': object.body.length }).write(object.body.subarray(0, object.body.length / 2))
      else return reply(200, object.body, object.contentType)
      return reply(request.method === 'DELETE' ? 204 : 200)
    })
  })
  const page = (query: URLSearchParams) => {
    const after = query.get('continuation-token') ?? ''
    const keys = [...fake.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted()
    const [key] = keys
    if (key === undefined) return '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'
    const contents = `<Contents><Key>${key}</Key><LastModified>${fake.objects.get(key)?.at.toISOString()}</LastModified></Contents>`
    const next = keys.length > 1 ? `<NextContinuationToken>${key}</NextContinuationToken>` : ''
    return `<ListBucketResult><IsTruncated>${keys.length > 1}</IsTruncated>${contents}${next}</ListBucketResult>`
  }
  const fake: FakeS3 = {
    endpoint: '',
    objects: new Map(),
    log: [],
    failWith: undefined,
    isSilent: false,
    kept: undefined,
    sends: 'whole',
    mayList: true,
    allowedOrigin: '*',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // listening on a port, never on a pipe
  fake.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}
