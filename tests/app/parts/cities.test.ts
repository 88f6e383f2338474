import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchCities } from '#app/parts/cities.ts'

const answer = (body: unknown, init?: ResponseInit) => {
  const asked = vi.fn(async (_address: string) => new Response(typeof body === 'string' ? body : JSON.stringify(body), init))
  vi.stubGlobal('fetch', asked)
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a city list', () => {
  it('comes from the media host in its own order', async () => {
    const asked = answer({ cities: ['Paris', 'Marseille', 'Lyon'] })
    expect(await fetchCities('FR.json')).toEqual(['Paris', 'Marseille', 'Lyon'])
    expect(asked.mock.calls[0]?.[0]).toBe('/media/cities/FR.json')
  })

  it('says which status refused it', async () => {
    answer('', { status: 404 })
    await expect(fetchCities('XX.json')).rejects.toMatchObject({
      message: 'Failed to fetch city list: 404',
      key: 'CityListFailed',
      status: 404,
    })
  })

  it.each([{}, { cities: 'Paris' }, { cities: [1] }, '<html>', []])('says that %j is no list', async (body) => {
    answer(body)
    await expect(fetchCities('FR.json')).rejects.toMatchObject({
      message: 'Invalid city data format: cities array not found',
      key: 'CityListInvalid',
    })
  })

  it('says that nothing answered', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(fetchCities('FR.json')).rejects.toMatchObject({ key: 'CityListUnreachable' })
  })

  it('lets a cancelled read be one', async () => {
    const controller = new AbortController()
    controller.abort()
    vi.stubGlobal('fetch', async () => Promise.reject(controller.signal.reason))
    await expect(fetchCities('FR.json', controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
