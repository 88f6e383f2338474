import { isIP } from 'node:net'
import { isEmail } from '#contract/rules/email.ts'
import { DEMO_PRICES, DEMO_TOKEN_PRICE, DEMO_TOKEN_PROMOTION } from './demo-prices.ts'
import type { Variables } from './env-variables.ts'
import { signingKeysProblem } from './signing-keys.ts'

/** What settings cannot be meant, each in a sentence that names the setting and says what to do (SECURITY-18). */

/** In production nothing may be a stand-in, and nothing that guards others may be made up at start. */
const NEEDED_IN_PRODUCTION = [
  'PUBLIC_URL',
  'DATABASE_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'TOKEN_SIGNING_KEYS',
  'REFRESH_KEY',
  'CODE_PEPPER',
  'OPERATOR_KEY',
  'AUDIT_KEY',
  'TRUST_PROXY',
  'ASSESSMENT_PRICES',
  'TOKEN_PRICE',
  'TOKEN_PROMOTION',
  'LINK_WEBSITE',
  'LINK_VIDEO_CHANNEL',
  'LINK_LEARN_MORE',
] as const satisfies (keyof Variables)[]

/** All of them or none: half of a part is a slip, not a wish for its stand-in. */
const TOGETHER = [
  ['S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT'],
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
] as const satisfies (keyof Variables)[][]

// Amazon's store needs none
const OPTIONAL: ReadonlySet<string> = new Set(['S3_ENDPOINT'])

const WHAT_TO_DO: Partial<Record<keyof Variables, string>> = {
  TRUST_PROXY: 'name the addresses or networks of your proxies, or write none if there is none',
}

/** `said`: settings of which something was said already. */
export function problemsOf(set: Variables, said: ReadonlySet<string>): string[] {
  const isProduction = set.TOUCHLINE_MODE === 'production'
  return [
    ...missing(set, isProduction)
      .filter((name) => !said.has(name))
      .map((name) => `${name} is missing${WHAT_TO_DO[name] === undefined ? '' : `: ${WHAT_TO_DO[name]}`}`),
    ...publicUrlProblems(set, isProduction),
    ...mailProblems(set, isProduction),
    ...stripeProblems(set, isProduction),
    ...secretProblems(set),
    ...proxyProblems(set),
    ...originProblems(set),
    ...priceProblems(set, isProduction),
    ...databaseProblems(set, isProduction),
    ...(isProduction && set.S3_ENDPOINT?.startsWith('http:') ? ['S3_ENDPOINT must be https'] : []),
  ]
}

/** Links that lead nowhere yet, which production says at its start. OPERATE-3 */
export function unsetLinks(set: Variables): string[] {
  const links = ['LINK_TERMS', 'LINK_PRIVACY', 'LINK_CONTACT'] as const
  return links.filter((name) => set[name] === undefined).map((name) => `${name} is not set: its link leads nowhere`)
}

function missing(set: Variables, isProduction: boolean): (keyof Variables)[] {
  const isSet = (name: keyof Variables) => {
    const value = set[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined
  }
  const halves = TOGETHER.filter((names) => names.some(isSet)).flatMap((names) => names.filter((name) => !OPTIONAL.has(name)))
  const needed = new Set<keyof Variables>(isProduction ? [...NEEDED_IN_PRODUCTION, ...halves] : halves)
  return [...needed].filter((name) => !isSet(name))
}

function publicUrlProblems({ PUBLIC_URL: text }: Variables, isProduction: boolean): string[] {
  if (text === undefined) return []
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  const isBare = pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  return [
    ...(isBare ? [] : ['PUBLIC_URL must be an address alone, such as https://portal.example.com: no path, query, # or name']),
    ...(isProduction && protocol === 'http:' ? ['PUBLIC_URL must be https'] : []),
  ]
}

function mailProblems({ MAIL_FROM: from, SMTP_URL: smtp }: Variables, isProduction: boolean): string[] {
  const address = from === undefined ? undefined : (/^[^<>\r\n]*<([^<>]*)>$/.exec(from.trim())?.[1] ?? from)
  return [
    ...(address === undefined || isEmail(address)
      ? []
      : ['MAIL_FROM must be an e-mail address, or a name and one: Club <club@example.com>']),
    ...(smtp === undefined || !isProduction || /^smtps?:\/\/[^/?]/.test(smtp) ? [] : ['SMTP_URL must be smtp: or smtps:']),
    ...(smtp === undefined || URL.canParse(smtp) ? [] : ['SMTP_URL must be an address such as smtps://user:password@mail.example.com:465']),
  ]
}

const KEY_KINDS = [
  ['STRIPE_SECRET_KEY', /^[sr]k_(test|live)_/, 'sk_ or rk_'],
  ['STRIPE_PUBLISHABLE_KEY', /^pk_(test|live)_/, 'pk_'],
  ['STRIPE_WEBHOOK_SECRET', /^whsec_/, 'whsec_'],
] as const

function stripeProblems(set: Variables, isProduction: boolean): string[] {
  const problems: string[] = []
  for (const [name, isRight, start] of KEY_KINDS) {
    const value = set[name]
    // a demo may take its cards from a stand-in of the provider; but browsers are never served a secret key
    const isChecked = isProduction || name === 'STRIPE_PUBLISHABLE_KEY'
    if (value !== undefined && isChecked && !isRight.test(value)) problems.push(`${name} is not one: it must begin with ${start}`)
  }
  const kindOf = (key: string | undefined) => /^[srp]k_(test|live)_/.exec(key ?? '')?.[1]
  const [secret, publishable] = [kindOf(set.STRIPE_SECRET_KEY), kindOf(set.STRIPE_PUBLISHABLE_KEY)]
  if (secret !== undefined && publishable !== undefined && secret !== publishable)
    problems.push(
      `STRIPE_SECRET_KEY is a ${secret} key and STRIPE_PUBLISHABLE_KEY a ${publishable} one: take both from one mode of the provider`,
    )
  return problems
}

const SECRET_LENGTH_MINIMUM = 32
// 32 random hexadecimal digits have fewer once in 27 million times
const SECRET_CHARACTERS_MINIMUM = 8

function secretProblems(set: Variables): string[] {
  const { REFRESH_KEY, CODE_PEPPER, OPERATOR_KEY, AUDIT_KEY } = set
  const secrets = Object.entries({ REFRESH_KEY, CODE_PEPPER, OPERATOR_KEY }).flatMap(([name, value]) =>
    value === undefined ? [] : { name, value },
  )
  const all = [...secrets, ...AUDIT_KEY.map((value) => ({ name: 'AUDIT_KEY', value }))]
  const advice = 'write for each what `openssl rand -base64 48` says'
  return all
    .flatMap(({ name, value }, place) => {
      const other = all.slice(0, place).find((one) => one.value === value)
      if (other) return [`${name} is the same as ${other.name}: ${advice}`]
      if (value.length < SECRET_LENGTH_MINIMUM) return [`${name} is shorter than ${SECRET_LENGTH_MINIMUM} characters: ${advice}`]
      const isPattern = new Set(value).size < SECRET_CHARACTERS_MINIMUM || `${value}${value}`.indexOf(value, 1) < value.length
      return isPattern ? [`${name} can be guessed, because it repeats itself: ${advice}`] : []
    })
    .concat(set.TOKEN_SIGNING_KEYS === undefined ? [] : (signingKeysProblem(set.TOKEN_SIGNING_KEYS) ?? []))
}

// names of networks that the server's framework knows
const NETWORKS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

function proxyProblems({ TRUST_PROXY: proxies }: Variables): string[] {
  if (proxies.includes('none')) return proxies.length === 1 ? [] : ['TRUST_PROXY says none, and more: write either']
  return proxies
    .filter((one) => !isNetwork(one))
    .map((one) => `TRUST_PROXY has ${one}, which is no address or network: ${WHAT_TO_DO.TRUST_PROXY}`)
}

function isNetwork(text: string): boolean {
  if (NETWORKS.has(text)) return true
  const [address = '', prefix, more] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === 0 || more !== undefined) return false
  // /0 is everybody, and then everybody says where they come from
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits)
}

function originProblems({ PORTAL_ORIGINS, MEDIA_ORIGINS }: Variables): string[] {
  const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  return Object.entries({ PORTAL_ORIGINS, MEDIA_ORIGINS }).flatMap(([name, origins]) =>
    origins.filter((one) => !isOrigin(one)).map((one) => `${name} has ${one}, which is no origin such as https://app.example.com`),
  )
}

function priceProblems(set: Variables, isProduction: boolean): string[] {
  const { TOKEN_PRICE: token = DEMO_TOKEN_PRICE, ASSESSMENT_PRICES: prices = DEMO_PRICES, TOKEN_PROMOTION: promotion } = set
  // a price names what it buys
  const problems = prices.some((price) => price.id === token.id) ? ['TOKEN_PRICE is an assessment’s: it needs a price of its own'] : []
  if (!isProduction) return problems
  if (set.ASSESSMENT_PRICES?.some((price) => DEMO_PRICES.some((demo) => demo.id === price.id)))
    problems.push('ASSESSMENT_PRICES is a stand-in')
  if (set.TOKEN_PRICE?.id === DEMO_TOKEN_PRICE.id) problems.push('TOKEN_PRICE is a stand-in')
  if (promotion?.coupon === DEMO_TOKEN_PROMOTION.coupon) problems.push('TOKEN_PROMOTION is a stand-in')
  return problems
}

/** Read by hand: the address of a cluster names several hosts, which `URL` does not take. */
function databaseProblems({ DATABASE_URL: text, DATABASE_TLS: tls }: Variables, isProduction: boolean): string[] {
  if (text === undefined) return []
  const [, hosts] = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^/?]*)/.exec(text) ?? []
  if (hosts === undefined) return ['DATABASE_URL must be postgres://user:password@host:5432/name']
  if (!isProduction) return []
  const names = hosts.split(',').map((host) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'))
  const query = new URLSearchParams(text.split('?')[1] ?? '')
  const [host] = query.getAll('host')
  const isElsewhere =
    !(host ?? '').startsWith('/') && [...names, ...(host === undefined ? [] : [host])].some((name) => name !== '' && !isThisMachine(name))
  const mode = query.get('sslmode') ?? (['true', '1'].includes(query.get('ssl') ?? '') ? 'verify-full' : 'none')
  if (tls === 'off' || !isElsewhere || ['require', 'verify-ca', 'verify-full'].includes(mode)) return []
  return [
    `DATABASE_URL leads to another machine, and its sslmode is ${mode}: add sslmode=verify-full, or write DATABASE_TLS=off if the network between is private`,
  ]
}

export function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return name === 'localhost' || name === '::1' || /^127(\.\d+){3}$/.test(name)
}

/** Beginnings of our settings' names; who writes another of these thought it was one. */
const OURS =
  /^(TOUCHLINE|PUBLIC|DATABASE|STRIPE|S3|SMTP|MAILS?|TOKEN|LINK|MEDIA|PORTAL|AUDIT|OPERATOR|TRUST|REQUEST|CALL|READS|WRITES|STARTS|VERIFIES|REFRESHES|MINIMUM|ASSESSMENT)_/
const LETTERS_WRONG_MAXIMUM = 2
const LIKE_LENGTH_MINIMUM = 6

/** Names that are none of ours: those that are like one, and those that only begin like ours, which others may have set. */
export function namesLike(ours: readonly string[], given: readonly string[]): { name: string; like: string | undefined }[] {
  // every other would be like a short one
  const long = ours.filter((one) => one.length >= LIKE_LENGTH_MINIMUM)
  return given
    .filter((name) => !ours.includes(name) && name.length >= LIKE_LENGTH_MINIMUM)
    .flatMap((name) => {
      const capitals = name.toUpperCase()
      const near = long.map((one) => ({ one, distance: distanceOf(capitals, one) })).toSorted((a, b) => a.distance - b.distance)[0]
      const like = near && near.distance <= LETTERS_WRONG_MAXIMUM ? near.one : undefined
      return like !== undefined || OURS.test(capitals) ? [{ name, like }] : []
    })
}

/** How many letters must be put in, taken away or changed. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
