import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { nameInMail } from '#server/mailer/facts.ts'
import { storedLanguage } from '#server/words/words.ts'
import type { AllocationMail } from '#server/mailer/store.ts'
import { messageOf } from '#server/mailer/messages.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { allocate, coachWith, giveTokens, resend, tokensOf } from '#tests/server/instances/support.ts'
import { serverWithMail } from './support.ts'

const CODE = /\d{8}/
const PORTAL = 'https://portal.test'

/** MAIL-3, MAIL-9, PRIVACY-1, docs/decisions/0019 */
describe('invitations', () => {
  const clock = movableClock()
  const server = givenServer({ clock, env: { PUBLIC_URL: PORTAL, MAILS_PER_HOUR: '100', MAILS_PER_DAY: '1000' } })
  let coach: Person
  let email: string
  let count = 0

  beforeEach(async () => {
    count += 1
    clock.forward(61)
    coach = await coachWith(server, `coach${count}@club.test`, 5)
    email = `player${count}@club.test`
  })

  async function newest(address = email) {
    await server.deps.jobs.settled('mails')
    const [mail] = server.mails(address)
    if (!mail) throw new Error(`nothing was mailed to ${address}`)
    return mail
  }
  async function invited(more: object = {}, as = coach) {
    const { body } = await allocate(server, as, email, more)
    return { id: body.instanceId, mail: await newest() }
  }

  test('say who invites, the assessment, how long it takes, what the coach sees, and the link to it', async () => {
    const { id, mail } = await invited()
    expect(mail.subject).toBe('Alex Bergeron invites you: Touchline Profile¹')
    for (const words of [
      'Alex Bergeron has an assessment for you',
      'Touchline Profile¹\nHow you like to play, how you like to learn',
      'about 15 min',
      'Your answers are yours alone',
      'Before you open the assessment, Alex Bergeron sees only this email address. From then on they see your name, photo, position, team and progress, and at the end the clear parts of your result, with ideas for coaching you.',
      `${PORTAL}/assessment/${id}/brief\n`,
      'Or open the app and sign in with this email address: it is waiting there.',
      'Signing in with this email address creates one',
    ]) {
      expect(mail.text).toContain(words)
    }
    expect(mail.text).not.toMatch(CODE)
    const [brief, stop, ...others] = mail.text.match(/https?:\S+/g) ?? []
    expect(brief).toBe(`${PORTAL}/assessment/${id}/brief`)
    expect(stop).toMatch(new RegExp(`^${PORTAL}/invitations/stop\\?token=[a-p]{96}$`))
    expect(others).toEqual([])
  })

  test('do not mention creating an account to somebody who has one', async () => {
    await signIn(server, email)
    const { mail } = await invited()
    expect(mail.text).toContain('it is waiting there')
    expect(mail.text).not.toContain('makes one')
  })

  test.each([
    ['in the player’s language if the player has an account', 'fr', 'en', 'en', 'fr'],
    ['in the requested language if the player has no account', undefined, 'fr', 'en', 'fr'],
    ['in the coach’s language otherwise', undefined, undefined, 'fr', 'fr'],
    ['in the player’s language even if the coach’s differs', 'en', undefined, 'fr', 'en'],
  ])('are %s', async (_what, players, asked, coachs, expected) => {
    const address = `speaks${count}@club.test`
    const speaking = await signIn(server, address, 'coach', coachData, coachs)
    await giveTokens(server, speaking, 1)
    if (players !== undefined) await signIn(server, email, 'player', {}, players)
    const { id, mail } = await invited(asked === undefined ? {} : { language: asked }, speaking)
    const french = /t’invite\u00A0: Profil|t’invite\u00A0: Touchline/
    expect(french.test(mail.subject)).toBe(expected === 'fr')
    await resend(server, speaking, email)
    const again = await newest()
    expect(again.subject.startsWith('Petit rappel')).toBe(expected === 'fr')
    expect(again.text).toContain(id)
  })

  test('say so if they are reminders', async () => {
    const { id } = await invited()
    await resend(server, coach, email)
    const mail = await newest()
    expect(mail.subject).toBe('A reminder from Alex Bergeron: Touchline Profile¹')
    expect(mail.text).toContain('still waiting for you')
    expect(mail.text).toContain(`${PORTAL}/assessment/${id}/brief`)
  })

  test('never contain 8 digits in a row, which would look like a code, whatever a name or an address contains', async () => {
    const named = await coachWith(server, `coach12345678${count}@club.test`, 40, { ...coachData, firstName: '12345678' })
    for (let i = 0; i < 30; i += 1) {
      email = `p9876543210.${i}.${count}@club.test`
      const { mail } = await invited({}, named)
      expect(`${mail.subject}\n${mail.text}`).not.toMatch(CODE)
    }
    await signIn(server, email, 'coach', coachData)
    const told = await newest(named.email)
    expect(`${told.subject}\n${told.text}`).toContain('p987…')
    expect(`${told.subject}\n${told.text}`).not.toMatch(CODE)
  })

  test('ASSIGN-9: return the token if the invited address becomes a coach’s, and each inviter gets a mail', async () => {
    await invited()
    const other = await coachWith(server, `other${count}@club.test`, 1)
    await allocate(server, other, email)
    expect(await tokensOf(server, coach)).toMatchObject({ used: 1 })
    await signIn(server, email, 'coach', coachData)
    for (const one of [coach, other]) {
      expect(await tokensOf(server, one)).toMatchObject({ used: 0 })
      const mail = await newest(one.email)
      expect(mail.subject).toBe(`A token is yours again: ${email} is a coach`)
      expect(mail.text).toContain('the token is yours again')
      expect(mail.text).toContain(`${PORTAL}/\n`)
    }
    const log = (await server.rows('audit_entries')).filter((one) => one['event'] === 'reclaimed').map((one) => one['user_id'])
    expect(log).toEqual(expect.arrayContaining([coach.userId, other.userId]))
  })

  test('ASSIGN-9: do not promise the token to a coach whose tokens were refunded after they were used', async () => {
    const owing = await coachWith(server, `owing${count}@club.test`, 1)
    await allocate(server, owing, email)
    await server.deps.db.execute(sql`update token_balances set owed = 1 where coach_id = ${owing.userId}`)
    await signIn(server, email, 'coach', coachData)
    expect(await tokensOf(server, owing)).toMatchObject({ total: 0, used: 0, available: 0 })
    const { subject, text } = await newest(owing.email)
    expect(`${subject}\n${text}`).not.toContain('yours again')
    expect(text).toContain('makes up for one that was refunded')
  })

  test('ASSIGN-9: return the token once if the operator creates that coach’s account', async () => {
    await invited()
    const body = { email, userTypeCode: 'coach' }
    expect((await ask(server, 'POST', 'user', { bearer: server.deps.keys.operatorKey, body })).status).toBe(201)
    expect(await tokensOf(server, coach)).toMatchObject({ used: 0 })
    await signIn(server, email)
    await server.deps.jobs.settled('mails')
    expect(server.mails(coach.email).filter(({ subject }) => subject.includes('token'))).toHaveLength(1)
  })

  test('ASSIGN-9: return the token to an inviter whose account is closed, but send no mail', async () => {
    await invited()
    await closeAccount(server, coach)
    await signIn(server, email, 'coach', coachData)
    await server.deps.jobs.settled('mails')
    expect(server.mails(coach.email)[0]?.subject).toBe('Your Touchline account is closed')
    const returned = (await server.rows('token_ledger')).filter((one) => one['coach_id'] === coach.userId && one['kind'] === 'returned')
    expect(returned).toHaveLength(1)
  })
})

test('an invitation has the same text in plain text and HTML', async () => {
  const { server, smtp } = await serverWithMail({ env: { PUBLIC_URL: PORTAL } })
  const coach = await coachWith(server, 'coach@club.test', 1, { ...coachData, lastName: '<b>& "Co"' })
  await allocate(server, coach, 'player@club.test', { language: 'fr' })
  await server.deps.jobs.settled('mails')
  const mail = smtp.delivered.at(-1)
  expect(mail?.html).toContain('<html lang="fr">')
  expect(mail?.html).toContain('&lt;b&gt;&amp; &quot;Co&quot;')
  expect(mail?.html).not.toContain('<b>')
  expect(mail?.html).not.toMatch(CODE)
  expect(mail?.text).toContain('Alex <b>& "Co"')
  for (const line of mail?.text.split(/\n+/).filter((one) => !/[<"]/.test(one)) ?? []) expect(mail?.html).toContain(line)
})

describe('the words of a mail', () => {
  const queued = (facts: Record<string, string>, more: Partial<AllocationMail> = {}): AllocationMail => ({
    id: crypto.randomUUID(),
    kind: 'invitation',
    to: 'player@club.test',
    toNormal: 'player@club.test',
    instanceId: 'a0000000-0000-4000-8000-000000000000',
    language: 'en',
    facts: { coach: 'Alex', assessment: 'Profile', tagline: 'How', minutes: '15', ...facts },
    createdAt: new Date(),
    tries: 1,
    refusals: 0,
    sentAt: null,
    failedAt: null,
    bouncedAt: null,
    bouncedWhy: null,
    bouncedCode: null,
    ...more,
  })

  test.each(['en', 'fr'])('have no unfilled placeholder in %s', (language) => {
    for (const facts of [{}, { isReminder: 'yes' }, { hasAccount: 'yes' }]) {
      for (const kind of ['invitation', 'token-returned'] as const) {
        const { subject, text, html } = messageOf(queued({ ...facts, player: 'p@club.test' }, { kind, language }), PORTAL, 'stop')
        for (const words of [subject, text, html ?? '']) {
          expect(words).not.toMatch(/\{\{|undefined|null/)
          expect(words).toContain(kind === 'invitation' ? 'Alex' : 'p@club.test')
        }
      }
    }
  })

  test('say “your coach” if there is no name', () => {
    expect(messageOf(queued({ coach: '' }), PORTAL, 'stop').subject).toBe('Your coach invites you: Profile')
    expect(messageOf(queued({ coach: '' }), PORTAL, 'stop').text).toContain('Before you open the assessment, your coach sees')
  })

  test('show a name that looks like a placeholder or a replacement pattern unchanged', () => {
    expect(messageOf(queued({ coach: '{{minutes}} $& $1' }), PORTAL, 'stop').subject).toBe('{{minutes}} $& $1 invites you: Profile')
  })

  test('are in English if the stored language is unknown', () => {
    expect(storedLanguage('de')).toBe('en')
  })
})

describe('a name', () => {
  const server = givenServer()
  let count = 0

  async function invitationOf(firstName: string) {
    count += 1
    const coach = await coachWith(server, `coach${count}@club.test`, 1, { ...coachData, firstName })
    await allocate(server, coach, `p${count}@club.test`)
    await server.deps.jobs.settled('mails')
    const [mail] = server.mails(`p${count}@club.test`)
    return { subject: mail?.subject, text: mail?.text ?? '' }
  }

  test.each(['Win www.evil.test', 'evil.Com', 'пример.рф', '+33 6 12 34 56 78'])(
    'that contains an address or a telephone number is left out of a mail: %s',
    async (firstName) => {
      const { subject, text } = await invitationOf(firstName)
      expect(subject).toBe('Your coach invites you: Touchline Profile¹')
      expect(text).not.toContain(firstName)
    },
  )

  test.each(['J.-P.', 'St. John', 'Anne-Marie'])('with dots or a hyphen appears in a mail: %s', async (firstName) => {
    const { subject } = await invitationOf(firstName)
    expect(subject).toBe(`${firstName} Bergeron invites you: Touchline Profile¹`)
  })

  const named = (firstName: string, lastName: string | null = null) =>
    nameInMail({ firstName, lastName, email: '', emailNormal: '', language: 'en' })

  test.each([
    ['a link', 'https://evil.test'],
    ['a link without its slashes', 'http:evil'],
    ['a host name', 'evil.com'],
    ['a host name in capitals', 'EVIL.COM'],
    ['a host name in small letters and capitals', 'evil.Com'],
    ['a host name with several dots', 'www.Evil.Shop'],
    ['a host name with a part of one letter', 'www.E.Shop'],
    ['a host name in another script', 'пример.рф'],
    ['a host name whose letters have marks', 'उदाहरण.भारत'],
    ['a host name with an ideographic full stop', 'evil。com'],
    ['a host name with a full-width dot', 'evil．com'],
    ['a host name with a half-width dot', 'evil｡com'],
    ['a host name in full-width letters', 'ｅｖｉｌ．ｃｏｍ'],
    ['a host name with an invisible character', 'evil.\u200Bcom'],
    ['a path', 'evil/com'],
    ['an email address', 'me@evil'],
    ['an email address with a full-width @', 'me＠evil'],
    ['a telephone number', '+33 6 12 34 56 78'],
    ['a telephone number with dots', '06.12.34.56.78'],
    ['a telephone number with brackets', '(555) 010-0199'],
    ['a telephone number in Arabic digits', '٠٦ ١٢ ٣٤ ٥٦'],
    ['a code of eight digits', 'code 12345678'],
    ['a code of five digits', '81 212'],
  ])('that is or contains %s is left out: %s', (_what, name) => {
    expect(named(name)).toBe('')
    expect(named('Ana', name)).toBe('')
    expect(named(`Ana ${name} Silva`)).toBe('')
  })

  test.each([
    ['J.-P.', 'J.-P.'],
    ['J.P.', 'J.P.'],
    ['St. John', 'St. John'],
    ["O'Neil Jr.", "O'Neil Jr."],
    ['O’Neil', 'O’Neil'],
    ['D. B. Cooper', 'D. B. Cooper'],
    ['A.C. Milan', 'A.C. Milan'],
    ['Ünal Jr.', 'Ünal Jr.'],
    ['Müller-Lüdenscheidt', 'Müller-Lüdenscheidt'],
    ['Александр', 'Александр'],
    ['山田太郎', '山田太郎'],
    ['Ana\u2028Maria', 'Ana Maria'],
    ['Coach 2026 U17', 'Coach 2026 U17'],
    // a space is added, so that no mail program makes a link of it
    ['St.John', 'St. John'],
    ['A.C.Milan', 'A.C. Milan'],
  ])('of a person stays: %s', (name, expected) => {
    expect(named(name)).toBe(expected)
    expect(named(name, 'Silva')).toBe(`${expected} Silva`)
  })
})
