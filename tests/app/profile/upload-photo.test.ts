import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { queryClient } from '#app/api/query-client.ts'
import { queriesRestored } from '#app/api/reads-provider.tsx'
import { UploadFailed, uploadPhoto } from '#app/screens/profile/upload-photo.ts'

/** Address, file, registration, profile; 'Upload failed: {status text}'; marks 10, 50, 100. PROFILE-35, PROFILE-37 */

const photo = new Blob(['pixels'], { type: 'image/jpeg' })
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const profile = {
  userId: 'u',
  userTypeCode: 'player',
  firstName: null,
  lastName: null,
  email: 'a@b.test',
  cityId: null,
  countryId: null,
  gender: null,
  birthDate: null,
  preferredPosition: null,
  sport: null,
  hasProfilePicture: true,
  teams: [],
}

type Step = (init: RequestInit) => Response | Promise<Response>
let steps: Record<string, Step>
let requests: string[]
let marks: number[]
let control: AbortController

beforeEach(async () => {
  await queriesRestored()
  requests = []
  marks = []
  control = new AbortController()
  steps = {
    'POST /api/user/profile-picture/upload-url': () => json({ uploadUrl: '/media/uploads/k?signature=s', tempKey: 'k' }),
    'PUT /media/uploads/k?signature=s': () => new Response(null, { status: 204 }),
    'POST /api/user/profile-picture/finalize': () => json({ documentId: 'd', locationUri: '/media/x', fileSizeBytes: 6 }),
    'PATCH /api/user/u': () => json(profile),
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/health')) throw new TypeError('no probe here')
    const name = `${init.method} ${url}`
    requests.push(name)
    const step = steps[name]
    if (!step) throw new Error(`Not expected: ${name}`)
    init.signal?.throwIfAborted()
    return step(init)
  })
})

const upload = () =>
  uploadPhoto({ photo, name: 'me.heic', userId: 'u', signal: control.signal, onProgress: (percent) => marks.push(percent) })

test('a photo is uploaded, registered and put on the profile, and reads of users become stale', async () => {
  const stale = vi.spyOn(queryClient, 'invalidateQueries')
  const bodies: unknown[] = []
  for (const [name, step] of Object.entries(steps)) {
    steps[name] = (init) => {
      bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : [init.body, new Headers(init.headers).get('content-type')])
      return step(init)
    }
  }
  await upload()
  expect(requests).toEqual(Object.keys(steps))
  expect(bodies).toEqual([
    { filename: 'me.heic', contentType: 'image/jpeg', fileSizeBytes: 6 },
    [photo, 'image/jpeg'],
    { tempKey: 'k', name: 'me.heic', documentFormat: 'image/jpeg' },
    { hasProfilePicture: true },
  ])
  expect(marks).toEqual([10, 50, 100])
  expect(stale).toHaveBeenCalled()
})

test('a refused upload fails with its status text, and nothing is registered', async () => {
  steps['PUT /media/uploads/k?signature=s'] = () => new Response(null, { status: 403, statusText: 'Forbidden' })
  await expect(upload()).rejects.toMatchObject({ constructor: UploadFailed, statusText: 'Forbidden' })
  expect(requests.at(-1)).toMatch(/^PUT/)
  expect(marks).toEqual([10])
})

test('a refused upload without a status text (HTTP/2) fails with the status', async () => {
  steps['PUT /media/uploads/k?signature=s'] = () => new Response(null, { status: 507 })
  await expect(upload()).rejects.toMatchObject({ statusText: '507' })
})

test('a broken connection fails as FETCH_ERROR', async () => {
  steps['PUT /media/uploads/k?signature=s'] = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(upload()).rejects.toMatchObject({ constructor: ApiError, kind: 'FETCH_ERROR' })
})

test('an upload cancelled in progress registers nothing and rejects with AbortError', async () => {
  steps['PUT /media/uploads/k?signature=s'] = (init) => {
    control.abort()
    return Promise.reject(init.signal?.reason)
  }
  await expect(upload()).rejects.toMatchObject({ name: 'AbortError' })
  expect(requests).toHaveLength(2)
})

test('a refused registration leaves the profile unchanged and makes it stale, as an earlier try may have succeeded', async () => {
  const stale = vi.spyOn(queryClient, 'invalidateQueries')
  stale.mockClear()
  steps['POST /api/user/profile-picture/finalize'] = () =>
    json({ code: 'IMAGE_UNREADABLE', message: 'said by the server', requestId: 'r' }, 422)
  await expect(upload()).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' })
  expect(requests).toHaveLength(3)
  expect(marks).toEqual([10, 50])
  expect(stale).toHaveBeenCalledOnce()
})

test('the file goes to the object store if the upload address names one', async () => {
  steps['POST /api/user/profile-picture/upload-url'] = () => json({ uploadUrl: 'https://store.test/k?X-Amz-Signature=s', tempKey: 'k' })
  steps['PUT https://store.test/k?X-Amz-Signature=s'] = () => new Response()
  await upload()
  expect(requests).toContain('PUT https://store.test/k?X-Amz-Signature=s')
})
