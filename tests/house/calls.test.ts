import { expect, it } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { filesBelow, read } from './source-files.ts'

/** The contract has the calls of the requirements (API-1 and on), and what documents link to and cite is there. */

/** Method and path as docs/requirements.md spells them; PUT and PATCH are two. */
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

/** Calls of our own, and whose method or path we chose. */
const OURS = `
POST user/auth/verify-otp
POST user/auth/account-state
GET user/{id}/avatar
GET user/{id}/sessions
POST user/{id}/sessions/{sessionId}/end
POST user/{id}/sessions/end-others
POST user/{id}/deactivate/code
POST assessment/assessment-instance/{instanceId}/brief-opened
POST assessment/assessment-instance/{instanceId}/complete
POST assessment/answers-file
GET assessment/assessment-instance/{instanceId}/report.pdf
GET assessment/assessment-instance/{instanceId}/marks
PUT assessment/assessment-instance/{instanceId}/marks
POST assessment/assessment-instance/{instanceId}/correct-address
GET assessment/coach/allocated/{instanceId}/report
GET settings
GET user/{userId}/export
POST user/{userId}/erase
POST user/block
POST user/unblock
POST assessment/assessment-instance/resend-to
POST backup
POST stripe/webhook
POST invitations/stop
POST invitations/allow
POST mail/bounce
GET mail/bounce
GET job
POST job/repeat
GET payment
GET limit
`

const lines = (text: string) => text.trim().split('\n')

it('the calls are those that were asked for and ours, spelled as in the requirements', () => {
  const calls = everyEndpoint().map(([, { method, path }]) => `${method} ${path}`)
  expect(calls.toSorted()).toEqual([...lines(SPECIFIED), ...lines(OURS)].toSorted())
})

it('every call says in one line what it does', () => {
  for (const [name, { summary }] of everyEndpoint()) expect(summary, name).toMatch(/^\p{Lu}[^\n]{4,70}[^.]$/u)
})

/** A translated "own" without "your", a clause or a question in place of a name or a command, and words that API documents do not use. */
const UNIDIOMATIC = /(?<!\byour )\bown\b|^(?:What|Where|Whether|Who|Is)\b|\?|\be-mail|\bharmless\b|\bmails\b/i

it.each(['The own profile', 'Where the own account is signed in', 'Is the API there?', 'Save answers; repeating it is harmless'])(
  '%j would be refused as a summary',
  (summary) => expect(summary).toMatch(UNIDIOMATIC),
)

it('the summaries of the OpenAPI document are plain English', () => {
  expect(everyEndpoint().filter(([, { summary }]) => UNIDIOMATIC.test(summary))).toEqual([])
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

/** `ANSWERS-12`, of the areas there are: UTF-8 and SHA-256 are no requirements. */
const requirements = read('docs/requirements.md')
const defined = [...requirements.matchAll(/^- \*\*([A-Z]+-\d+)\*\* /gm)].map(([, id = '']) => id)
const areas = [...new Set(defined.map((id) => id.split('-')[0]))]

it('every requirement has a number of its own', () => {
  expect(defined.length).toBeGreaterThan(500)
  expect(defined.filter((id, place) => defined.indexOf(id) !== place)).toEqual([])
})

it('every requirement that is cited stands in docs/requirements.md', () => {
  const readers = [
    ...pages,
    ...filesBelow('src', /\.(ts|tsx|css)$/),
    ...filesBelow('sw', /\.ts$/),
    ...filesBelow('tests', /\.tsx?$/),
    ...filesBelow('e2e', /\.(ts|md)$/),
    '.env.example',
  ]
  const citation = new RegExp(`\\b(?:${areas.join('|')})-\\d+\\b`, 'g')
  const cited = readers.flatMap((path) => [...read(path).matchAll(citation)].map(([id]) => [path, id] as const))
  expect(cited.length).toBeGreaterThan(0)
  expect(cited.filter(([, id]) => !defined.includes(id))).toEqual([])
})
