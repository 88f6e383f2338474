import { beforeEach, expect, it, vi } from 'vitest'
import type { Lack } from '#app/device/readiness/lacks.ts'
import type { InstanceState } from '#app/device/store/stored.ts'

/** What must be on the device for “ready for no signal” (docs/decisions/0033). */

const profile = {
  firstName: 'Awa',
  lastName: 'Diop',
  birthDate: '2010-05-01',
  gender: 'female',
  sport: { id: 'soccer' },
  preferredPosition: { id: 'goalkeeper' },
  countryId: 'Senegal',
}

/** What the device has; each test takes one thing away. */
const device = {
  shell: { stored: 120, total: 120 },
  /** its worker is being installed, which ends with the page */
  isInstalling: false,
  languages: ['en', 'fr'],
  answers: [] as { questionId: string; value: Record<string, string | null> }[],
  receipts: [] as { questionId: string }[],
  profiles: [] as object[],
  files: new Map<string, object>(),
  credentials: new Map<string, string>(),
  status: 'known',
}

vi.mock('#app/device/lazy-reads.ts', () => ({ loadOwnReads: async () => ({ storedProfiles: async () => device.profiles }) }))

const COUNTRIES = '/api/reference-data/country'
const CITIES = '/media/cities/senegal.json'

async function readiness() {
  // the module caches its latest result
  vi.resetModules()
  const { session } = await import('#app/session/session.ts')
  vi.spyOn(session, 'get').mockReturnValue({ status: device.status, user: { id: 'u1' }, userTypeCode: 'player' } as never)
  const { checkDevice, readinessOf } = await import('#app/device/readiness/readiness.ts')
  await checkDevice('u1', true)
  const { languages, answers, receipts } = device
  const instance = { userId: 'u1', summary: { status: 'IN_PROGRESS', answeredCount: 3 } }
  return readinessOf({ instance, languages, rows: { answers, receipts, late: [] } } as unknown as InstanceState)
}

beforeEach(() => {
  device.shell = { stored: 120, total: 120 }
  device.languages = ['en', 'fr']
  device.answers = [
    { questionId: 'q1', value: { a: '1', b: null } },
    { questionId: 'q2', value: { q2: '1' } },
  ]
  device.receipts = [{ questionId: 'q1' }, { questionId: 'q2' }]
  device.profiles = [profile]
  device.status = 'known'
  device.credentials = new Map([['refreshToken', 'r']])
  device.files = new Map<string, object>([
    [COUNTRIES, { countries: [{ countryName: 'Senegal', cityFile: 'senegal.json' }] }],
    ['/api/reference-data/team-option', {}],
    ['/api/reference-data/sport/soccer/position', {}],
    [CITIES, {}],
  ])
  device.isInstalling = false
  const worker = { postMessage: (_: unknown, [port]: MessagePort[]) => port?.postMessage(device.shell) }
  const registration = async () => (device.isInstalling ? { active: null, installing: worker } : { active: worker })
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: { getRegistration: registration } })
  vi.stubGlobal('caches', {
    match: async (url: string) => {
      const file = [...device.files].find(([path]) => new URL(url, 'http://x').pathname === path)?.[1]
      return file && Response.json(file)
    },
  })
  vi.stubGlobal('localStorage', { getItem: (key: string) => device.credentials.get(key) ?? null })
})

it('an assessment is ready when nothing is missing', async () => {
  expect(await readiness()).toEqual({ state: 'ready' })
})

it.each<[name: string, lack: Lack, take: () => unknown]>([
  ['a file of the app', 'shell', () => (device.shell = { stored: 119, total: 120 })],
  ['a worker that would open it', 'shell', () => (device.isInstalling = true)],
  ['the questions in the other language', 'words', () => device.languages.pop()],
  ['the questions in this language', 'words', () => device.languages.shift()],
  ['an answer that the account has', 'answers', () => device.answers.pop()],
  [
    'the answers and their receipts',
    'answers',
    () => {
      device.answers = []
      device.receipts = []
    },
  ],
  ['the profile', 'lists', () => device.profiles.pop()],
  ['a date of birth in the details', 'details', () => (device.profiles = [{ ...profile, birthDate: null }])],
  ['the list of countries', 'lists', () => device.files.delete(COUNTRIES)],
  ['the choices for a team', 'lists', () => device.files.delete('/api/reference-data/team-option')],
  ['the positions', 'lists', () => device.files.delete('/api/reference-data/sport/soccer/position')],
  ['the cities of the player’s country', 'lists', () => device.files.delete(CITIES)],
  ['a refresh token', 'session', () => device.credentials.delete('refreshToken')],
])('an assessment is not ready without %s', async (_, lack, take) => {
  take()
  expect(await readiness()).toEqual({ state: 'lacking', lack })
})

it('a browser without a service worker is named before everything else, until it has one', async () => {
  const blocked = {
    onLine: true,
    serviceWorker: { getRegistration: async () => Promise.reject(new DOMException('Blocked', 'SecurityError')) },
  }
  vi.stubGlobal('navigator', blocked)
  expect(await readiness()).toEqual({ state: 'lacking', lack: 'worker' })
})

it('after a minute without a worker the browser counts as one without service workers, until a worker appears', async () => {
  vi.useFakeTimers()
  try {
    vi.resetModules()
    let active: object | undefined
    vi.stubGlobal('navigator', { serviceWorker: { controller: null, getRegistration: async () => ({ active }) } })
    const { waitForController } = await import('#app/device/readiness/lists.ts')
    const { mayHaveWorker } = await import('#app/device/readiness/shell-files.ts')
    const waiting = expect(waitForController()).rejects.toThrow('no service worker')
    expect(await mayHaveWorker()).toBe(true)
    await vi.advanceTimersByTimeAsync(60_500)
    await waiting
    expect(await mayHaveWorker()).toBe(false)
    // the next round does not wait again
    await expect(waitForController()).rejects.toThrow('no service worker')
    active = {}
    expect(await mayHaveWorker()).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

it('the most serious of several lacks is named', async () => {
  device.profiles = []
  device.credentials.clear()
  device.languages = []
  expect(await readiness()).toEqual({ state: 'lacking', lack: 'words' })
})
