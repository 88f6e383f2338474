import { expect, it } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { filesBelow, read } from './source-files.ts'

/** The calls of §7 ↔ the contract, and the documents ↔ what they name. */

/** Method and path as §7 spells them; PUT and PATCH are two. */
const SPECIFIED = `
POST user/auth/initiate
POST user/auth/send-otp
POST user/auth/refresh
POST user/auth/logout
POST auth/refresh
GET health
GET assessment
GET assessment/{id}
POST assessment
POST assessment/checkout/{priceId}
POST assessment/handle-checkout-completion
POST assessment/token/handle-checkout-completion
GET assessment/assessment-instance
POST assessment/assessment-instance
GET assessment/assessment-instance/{instanceId}
PUT assessment/assessment-instance/{instanceId}
PATCH assessment/assessment-instance/{instanceId}
POST assessment/assessment-instance/allocate
POST assessment/assessment-instance/{instanceId}/reclaim
POST assessment/assessment-instance/responses
POST assessment/assessment-instance/{instanceId}/calculate-results
POST assessment/assessment-instance/resend
GET assessment/assessment-result-text
GET assessment/token/stripe-details
POST assessment/token/checkout/{priceId}/{quantity}
GET assessment/coach/allocated
GET user
GET user/{id}
GET user/email-search
GET user/{id}/profile-with-assessments
POST user
PATCH user/{id}
POST user/{id}/deactivate
POST user/profile-picture/upload-url
POST user/profile-picture/finalize
GET tokens
GET sports
GET sports/{id}
GET /reference-data/sport
GET /reference-data/sport/{sportId}/position
GET /reference-data/team-option
GET /reference-data/country
`

/** Whose method or path §7 leaves open (docs/not-shown.md), and ours. */
const OURS = `
POST user/auth/verify-otp
GET user/{id}/avatar
GET user/{id}/sessions
POST user/{id}/sessions/{sessionId}/end
POST user/{id}/sessions/end-others
POST user/{id}/deactivate/code
POST assessment/assessment-instance/{instanceId}/brief-opened
POST assessment/assessment-instance/{instanceId}/complete
GET settings
POST stripe/webhook
POST invitations/stop
POST invitations/allow
`

const lines = (text: string) => text.trim().split('\n')

it('the calls are those of §7 and ours, spelled as there', () => {
  const calls = everyEndpoint().map(([, { method, path }]) => `${method} ${path}`)
  expect(calls.toSorted()).toEqual([...lines(SPECIFIED), ...lines(OURS)].toSorted())
})

it('every call says in one line what it does', () => {
  for (const [name, { summary }] of everyEndpoint()) expect(summary, name).toMatch(/^\p{Lu}[^\n]{4,110}[^.]$/u)
})

const pages = [...filesBelow('docs', /\.md$/), ...filesBelow('.github', /\.md$/), 'README.md']
const files = new Set([
  ...filesBelow('docs'),
  ...filesBelow('src'),
  ...filesBelow('tests'),
  ...filesBelow('.github'),
  'README.md',
  'LICENSE',
  'NOTICE',
])

it('links between documents lead somewhere', () => {
  const lost = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => new URL(target, `file:///${page}`).pathname.slice(1))
      .filter((target) => !files.has(target) && ![...files].some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`)))
      .map((target) => `${page} → ${target}`),
  )
  expect(lost).toEqual([])
})

it('what the code cites of docs/not-shown.md stands there', () => {
  const page = read('docs/not-shown.md')
  const cited = [...filesBelow('src', /\.(ts|tsx|css)$/), ...filesBelow('sw', /\.ts$/)].flatMap((path) =>
    [...read(path).matchAll(/not-shown(?:\.md)?#([RNC]\d+)/g)].map(([, id = '']) => [path, id] as const),
  )
  expect(cited.length).toBeGreaterThan(0)
  expect(cited.filter(([, id]) => !new RegExp(`\\*\\*(${id}|R\\d+–${id})\\*\\*`).test(page))).toEqual([])
})
