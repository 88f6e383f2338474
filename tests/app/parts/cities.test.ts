import { afterEach, describe, expect, it, vi } from 'vitest'
import { cityOptions, fetchCities } from '#app/parts/details/cities.ts'

const reply = (body: unknown, init?: ResponseInit) => {
  const fetched = vi.fn(async (_address: string) => new Response(typeof body === 'string' ? body : JSON.stringify(body), init))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a city list', () => {
  it('comes from the media host and keeps its order', async () => {
    const fetched = reply({ cities: ['Paris', 'Marseille', 'Lyon'] })
    expect(await fetchCities('FR.json')).toEqual(['Paris', 'Marseille', 'Lyon'])
    expect(fetched.mock.calls[0]?.[0]).toBe('/media/cities/FR.json')
  })

  it('says which status refused it', async () => {
    reply('', { status: 404 })
    await expect(fetchCities('XX.json')).rejects.toMatchObject({
      message: 'Failed to fetch city list: 404',
      key: 'CityListFailed',
      status: 404,
    })
  })

  it('is read without other names if there are none or they are malformed', async () => {
    for (const otherNames of [undefined, null, 'Lutèce', { Paris: 'Lutèce' }, [{ city: 'Paris', fr: 1 }]]) {
      reply({ cities: ['Paris'], otherNames })
      const cities = await fetchCities('FR.json')
      expect(cities).toEqual(['Paris'])
      expect(cityOptions(cities, 'fr').search('lutece')).toEqual([])
    }
  })

  it.each([{}, { cities: 'Paris' }, { cities: [1] }, '<html>', []])('says that %j is no list', async (body) => {
    reply(body)
    await expect(fetchCities('FR.json')).rejects.toMatchObject({
      message: 'Invalid city data format: cities array not found',
      key: 'CityListInvalid',
    })
  })

  it('says that there was no reply', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(fetchCities('FR.json')).rejects.toMatchObject({ key: 'CityListUnreachable' })
  })

  it('passes a cancelled read on as an AbortError', async () => {
    const controller = new AbortController()
    controller.abort()
    vi.stubGlobal('fetch', async () => Promise.reject(controller.signal.reason))
    await expect(fetchCities('FR.json', controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('the options of a city list', () => {
  const list = {
    cities: ['Brussels', 'Antwerp', 'Gent', 'Charleroi', 'Brugge', 'Les Bruyères'],
    otherNames: [
      { city: 'Brussels', fr: 'Bruxelles', also: ['Brussel'] },
      { city: 'Antwerp', fr: 'Anvers', also: ['Antwerpen'] },
      { city: 'Gent', fr: 'Gand', also: ['Ghent'] },
      { city: 'Brugge', fr: 'Bruges', also: [] },
    ],
  }
  async function optionsIn(language: string, given: unknown = list) {
    reply(given)
    return cityOptions(await fetchCities('BE.json'), language)
  }

  it('read in the reader’s language', async () => {
    const inFrench = await optionsIn('fr')
    const names = ['Bruxelles', 'Anvers', 'Gand', 'Charleroi', 'Bruges', 'Les Bruyères']
    expect([inFrench.options, inFrench.search('')]).toEqual([names, names])
    expect(names.map(inFrench.cityOf)).toEqual(list.cities)
    expect(list.cities.map(inFrench.textOf)).toEqual(names)
    expect((await optionsIn('en')).search('')).toEqual(list.cities)
  })

  it.each([
    ['en', 'brussels', 'Brussels', 'Brussels'],
    ['en', 'Bruxelles', 'Brussels (Bruxelles)', 'Brussels'],
    ['en', 'antwerpe', 'Antwerp (Antwerpen)', 'Antwerp'],
    ['en', 'gand', 'Gent (Gand)', 'Gent'],
    ['fr', 'brux', 'Bruxelles', 'Brussels'],
    ['fr', 'Brussels', 'Brussels', 'Brussels'],
    ['fr', 'brussel', 'Bruxelles (Brussel)', 'Brussels'],
    ['fr', 'ghe', 'Gand (Ghent)', 'Gent'],
    ['fr', 'charl', 'Charleroi', 'Charleroi'],
  ])('in %s: %s finds %s, stored as %s', async (language, typed, shown, stored) => {
    const options = await optionsIn(language)
    expect(options.search(typed)[0]).toBe(shown)
    expect(options.cityOf(shown)).toBe(stored)
  })

  it('are found once each, best score first, then in the list’s order', async () => {
    expect((await optionsIn('fr')).search('bru')).toEqual(['Bruxelles', 'Bruges', 'Les Bruyères'])
    expect((await optionsIn('en')).search('bruges')).toEqual(['Brugge (Bruges)'])
    expect((await optionsIn('en')).search('zzz')).toEqual([])
  })

  it('are the list’s first 50 of more than 100 for up to 2 letters, and at most 50 for more (PROFILE-24)', async () => {
    const cities = Array.from({ length: 101 }, (_, place) => `Town ${place}`)
    const options = await optionsIn('en', { cities, otherNames: [{ city: 'Town 100', fr: 'Bourg', also: ['Townsend'] }] })
    expect(options.search('bo')).toEqual(cities.slice(0, 50))
    // macOS types é as two code points
    expect(options.search('e\u0301b')).toEqual(cities.slice(0, 50))
    expect(options.search('town')).toEqual(cities.slice(0, 50))
    expect(options.search('bourg')).toEqual(['Town 100 (Bourg)'])
  })
})
