import { describe, expect, test, vi } from 'vitest'
import { hostsOf, isCityListRead, isReferenceRead, isWholeCityList, isWholeReference, type Hosts } from '../../sw/read-cache.ts'

// Workbox looks for its global scope as it is imported.
vi.hoisted(() => vi.stubGlobal('self', globalThis))

const own = 'https://portal.test'
const sameOrigin = hostsOf(own)
const otherHosts = hostsOf(own, 'https://api.test/v1/', 'https://media.test')

function isCacheable(address: string, init: RequestInit = {}, hosts = sameOrigin): boolean {
  const request = new Request(new URL(address, own), init)
  return isCached(request, hosts)
}

/** Whether one of the worker's two routes takes the request. */
function isCached(request: Request, hosts: Hosts): boolean {
  const url = new URL(request.url)
  return isReferenceRead(url, request, hosts) || isCityListRead(url, request, hosts)
}

/** A reply as from the network, with a type and a redirect, which Node's own Response does not have. */
function reply(body: string, { type = 'basic', redirected = false, status = 200, contentType = 'application/json' } = {}): Response {
  const response = new Response(body, { status, headers: { 'content-type': contentType } })
  return Object.defineProperties(response, { type: { value: type }, redirected: { value: redirected } })
}

const cities = '{"cities":["Paris","Lyon"]}'
const portal = '<!doctype html><title>Welcome to Club Wi-Fi</title><form action="/login"></form>'

describe('the hosts', () => {
  test('are our own by default and if the settings are empty', () => {
    expect(hostsOf(own)).toEqual({ api: 'https://portal.test/api', media: 'https://portal.test/media' })
    expect(hostsOf(own, '', '')).toEqual(hostsOf(own))
  })

  test('are the configured ones, with or without a slash at the end', () => {
    expect(otherHosts).toEqual({ api: 'https://api.test/v1', media: 'https://media.test' })
    expect(hostsOf(own, '/v2/api/', '/files')).toEqual({ api: 'https://portal.test/v2/api', media: 'https://portal.test/files' })
  })
})

describe('the worker caches (OFFLINE-5)', () => {
  test.each([
    '/api/reference-data/country',
    '/api/reference-data/sport',
    '/api/reference-data/sport/soccer/position',
    '/api/reference-data/team-option',
    '/api/sports',
    '/api/sports/soccer',
    '/media/cities/FR.json',
  ])('%s', (address) => {
    expect(isCacheable(address)).toBe(true)
  })

  test('the same paths only on the configured hosts, if there are any', () => {
    expect(isCacheable('https://api.test/v1/reference-data/country', {}, otherHosts)).toBe(true)
    expect(isCacheable('https://media.test/cities/FR.json', {}, otherHosts)).toBe(true)
    expect(isCacheable('/api/reference-data/country', {}, otherHosts)).toBe(false)
    expect(isCacheable('/media/cities/FR.json', {}, otherHosts)).toBe(false)
    expect(isCacheable('https://media.test/v1/reference-data/country', {}, otherHosts)).toBe(false)
    expect(isCacheable('https://api.test/v1/cities/FR.json', {}, otherHosts)).toBe(false)
  })

  test('lookups and city lists by separate routes', () => {
    const country = new Request(`${own}/api/reference-data/country`)
    const list = new Request(`${own}/media/cities/FR.json`)
    expect(isReferenceRead(new URL(country.url), country, sameOrigin)).toBe(true)
    expect(isCityListRead(new URL(country.url), country, sameOrigin)).toBe(false)
    expect(isReferenceRead(new URL(list.url), list, sameOrigin)).toBe(false)
    expect(isCityListRead(new URL(list.url), list, sameOrigin)).toBe(true)
  })
})

describe('the worker never caches', () => {
  test.each([
    '/api/user',
    '/api/user/7f3a',
    '/api/user/7f3a/profile-with-assessments',
    '/api/user/email-search?email=a@b.test',
    '/api/user/auth/refresh',
    '/api/health',
    '/api/settings',
    '/api/tokens',
    '/api/assessment',
    '/api/assessment/assessment-instance/42',
    '/api/assessment/coach/allocated',
    '/api/openapi.json',
    '/media/profile-pictures/7f3a.jpg',
    '/media/sample/assessmentSampleReportImpact.pdf',
    '/dev/mail.json',
    '/',
    '/assets/index-abc123.js',
    'https://elsewhere.test/api/reference-data/country',
    'https://elsewhere.test/media/cities/FR.json',
  ])('%s', (address) => {
    expect(isCacheable(address)).toBe(false)
  })

  test.each([
    '/api/reference-data',
    '/api/reference-data/',
    '/api/reference-data/../user/7f3a',
    '/api/reference-data/%2e%2e/user/7f3a',
    '/api/reference-data/..%2fuser%2f7f3a',
    '/api/reference-data//user',
    '/api/reference-data/country?userId=7f3a',
    '/api/sports?userId=7f3a',
    '/api/sports/soccer/teams',
    '/api/sportsmen',
    '/x/api/sports',
    '/apisports',
    '/media/cities/',
    '/media/cities/fr.json',
    '/media/cities/FRA.json',
    '/media/cities/FR.json.html',
    '/media/cities/FR/FR.json',
  ])('a similar path: %s', (address) => {
    expect(isCacheable(address)).toBe(false)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('a %s request, whatever the path', (method) => {
    expect(isCacheable('/api/reference-data/country', { method })).toBe(false)
    expect(isCacheable('/media/cities/FR.json', { method })).toBe(false)
  })

  test('a request with credentials, for a range of bytes, or without CORS', () => {
    expect(isCacheable('/api/sports', { headers: { authorization: 'Bearer x' } })).toBe(false)
    expect(isCacheable('/api/sports', { credentials: 'include' })).toBe(false)
    expect(isCacheable('/api/sports', { credentials: 'omit' })).toBe(true)
    expect(isCacheable('/media/cities/FR.json', { headers: { range: 'bytes=0-9' } })).toBe(false)
    expect(isCacheable('https://media.test/cities/FR.json', { mode: 'no-cors' }, otherHosts)).toBe(false)
  })

  test('a city list opened as a page', () => {
    const request = Object.defineProperty(new Request(`${own}/media/cities/FR.json`), 'mode', { value: 'navigate' })
    expect(isCached(request, sameOrigin)).toBe(false)
  })
})

describe('a reply is cached or not:', () => {
  test('a complete list is cached, from our origin or by CORS', async () => {
    expect(await isWholeCityList(reply(cities))).toBe(true)
    expect(await isWholeCityList(reply(cities, { type: 'cors' }))).toBe(true)
    expect(await isWholeCityList(reply(cities, { contentType: 'application/json; charset=utf-8' }))).toBe(true)
    expect(await isWholeCityList(reply('{"cities":[]}'))).toBe(true)
    expect(await isWholeReference(reply('{"countries":[]}'))).toBe(true)
  })

  test('a reply can still be read after the check', async () => {
    const response = reply(cities)
    await isWholeCityList(response)
    expect(await response.text()).toBe(cities)
  })

  const refused: [string, () => Response][] = [
    ["a captive portal's page", () => reply(portal, { contentType: 'text/html' })],
    ["a captive portal's page that claims to be JSON", () => reply(portal)],
    ["a portal's page reached by a redirect", () => reply(portal, { contentType: 'text/html', redirected: true })],
    ['a redirected reply, even a good one', () => reply(cities, { redirected: true })],
    ['an opaque reply', () => reply(cities, { type: 'opaque' })],
    ['an opaque redirect', () => reply(cities, { type: 'opaqueredirect' })],
    ['a network error', () => Response.error()],
    ['no content', () => Object.defineProperty(new Response(null, { status: 204 }), 'type', { value: 'basic' })],
    ['a partial reply', () => reply(cities, { status: 206 })],
    ['not found', () => reply(cities, { status: 404 })],
    ['a server error', () => reply(cities, { status: 503 })],
    ['a truncated body', () => reply('{"cities":["Paris","Ly')],
    ['an empty body', () => reply('')],
    ['another content type', () => reply(cities, { contentType: 'application/jsonp' })],
    ['no content type', () => reply(cities, { contentType: '' })],
    ['null', () => reply('null')],
  ]
  test.each(refused)('%s is not cached', async (_, response) => {
    expect(await isWholeCityList(response())).toBe(false)
    expect(await isWholeReference(response())).toBe(false)
  })

  test.each(['{}', '[]', '{"captive":true}', '{"code":"LOGIN","message":"Accept the terms"}'])(
    '%s is not cached as reference data',
    async (body) => {
      expect(await isWholeReference(reply(body))).toBe(false)
    },
  )

  test.each(['{"data":[]}', '{"positions":[{"id":"a","name":"b"}]}', '{"id":"soccer","name":"Soccer"}'])(
    '%s is cached as reference data',
    async (body) => {
      expect(await isWholeReference(reply(body))).toBe(true)
    },
  )

  test.each(['{}', '[]', '{"cities":"Paris"}', '{"cities":[1]}', '{"cities":null}', '{"code":"INTERNAL"}'])(
    '%s is not cached as a city list',
    async (body) => {
      expect(await isWholeCityList(reply(body))).toBe(false)
    },
  )
})
