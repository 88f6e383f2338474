import { eq, getTableColumns } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { fillPath } from '#contract/endpoint.ts'
import { answerGroups } from '#server/db/schema/answers.ts'
import { instances, type StoredResults } from '#server/db/schema/instances.ts'
import { pictures } from '#server/db/schema/pictures.ts'
import { users } from '#server/db/schema/users.ts'
import { profileVersionOf } from '#server/users/store.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { type Reply, ask, closeAccount, movableClock, type Person, signIn } from '#tests/support/person.ts'
import { fileWithOneAnswer } from '#tests/support/sealed-file.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { requestOf, type Named, type Request } from './access-requests.ts'
import { CONTENT_VERSION, allocate, coachWith, complete, everyAnswer, openBrief, reclaim, save } from './instances/support.ts'

/**
 * What others can read of a player in the replies (ROLES-9, PRIVACY-2, PRIVACY-3): all data of a player has values found nowhere else,
 * and everybody else makes every call of the contract, in every state of the instance. What may be seen is listed by
 * hand below, and all of it must be found. A new call or column is covered without a change here, or fails the test.
 */

const STATES = ['unopened', 'opened', 'begun', 'completed', 'reclaimed', 'closed', 'erased'] as const
type State = (typeof STATES)[number]

/** The coach comes last, because a coach's calls change the most. */
const ACTORS = ['guest', 'otherPlayer', 'otherCoach', 'operator', 'coach'] as const
type Actor = (typeof ACTORS)[number]

/** Columns of an account whose values reveal nothing: the coach typed the address, and the server sets the rest (`logPosition`: a position in its log). */
const NOT_REVEALING = new Set(['email', 'emailNormal', 'userType', 'language', 'deactivatedAt', 'erasedAt', 'logPosition'])
const WHO = ['userId', 'firstName', 'lastName', 'preferredPosition', 'sport', 'teamName']

/** What the coach who gave the instance may see, by state. Only the player may see the rest. */
const COACH_MAY_SEE: Record<State, readonly string[]> = {
  unopened: [],
  opened: [...WHO, 'picture'],
  begun: [...WHO, 'picture', 'answeredCount'],
  completed: [...WHO, 'picture', 'answeredCount', 'completedAt', 'type'],
  reclaimed: [],
  // begun, then the account was closed: no owner is shown, even while the account can be opened again
  closed: ['answeredCount'],
  // completed, so every item was answered; then the account was erased
  erased: ['answeredCount', 'completedAt', 'type'],
}

/** What the operator may see: who owns an account and since when, unless it was erased. */
const OPERATOR_MAY_SEE = ['userId', 'firstName', 'lastName', 'createdAt']
const operatorMaySee = (state: State): readonly string[] => {
  if (state === 'erased') return ['completedAt']
  return state === 'completed' ? [...OPERATOR_MAY_SEE, 'completedAt'] : OPERATOR_MAY_SEE
}

interface Player {
  state: State
  person: Person
  instanceId: string
  /** of answers, made before the state was reached */
  file: string
  /** name → the values by which it is recognised */
  canaries: Record<string, (string | number)[]>
}

interface World {
  server: TestServer
  bearers: Record<Exclude<Actor, 'guest'>, string>
  players: Player[]
}

async function makeWorld(): Promise<World> {
  const server = await startServer({ clock: movableClock(), env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  const coach = await coachWith(server, 'coach@club.test', 2 * STATES.length)
  const otherCoach = await coachWith(server, 'other-coach@club.test', STATES.length)
  const made = []
  for (const state of STATES) made.push(await makePlayer(server, coach, state))
  const otherPlayer = await signIn(server, 'other@club.test')
  const operator = server.deps.keys.operatorKey
  const bearers = { coach: coach.accessToken, otherCoach: otherCoach.accessToken, otherPlayer: otherPlayer.accessToken, operator }
  await server.deps.jobs.settled('mails')
  return { server, bearers, players: made }
}

/** Brings a player of the coach's into this state by calls, and gives all their data values that can be recognised. */
async function makePlayer(server: TestServer, coach: Person, state: State): Promise<Player> {
  const person = await signIn(server, `${state}@club.test`)
  const { instanceId } = (await allocate(server, coach, person.email)).body
  if (state !== 'unopened') await openBrief(server, person, instanceId)
  if (['begun', 'completed', 'reclaimed', 'closed', 'erased'].includes(state)) await save(server, person, instanceId)
  if (['completed', 'erased'].includes(state)) await complete(server, person, instanceId)
  // who brings one has begun, as by any save
  const file = state === 'unopened' ? 'none' : fileWithOneAnswer(server, instanceId, person.userId, CONTENT_VERSION)
  const canaries = await plant(server, { state, person, instanceId })
  if (state === 'reclaimed') await reclaim(server, coach, instanceId)
  if (['closed', 'erased'].includes(state)) await closeAccount(server, person)
  if (state === 'erased') {
    await server.deps.db
      .update(users)
      .set({ deactivatedAt: new Date(0) })
      .where(eq(users.id, person.userId))
    await eraseClosedAccounts(server.deps)
  }
  return { state, person, instanceId, file, canaries }
}

async function plant(server: TestServer, { state, person, instanceId }: Omit<Player, 'canaries' | 'file'>): Promise<Player['canaries']> {
  const { db } = server.deps
  const place = STATES.indexOf(state) + 1
  const word = (what: string) => `${what}-of-${state}`
  const number = (at: number) => 91_000_000 + place * 1000 + at
  const instant = (year: number) => new Date(Date.UTC(year, place))
  const named = (what: string) => ({ id: word(`${what}Id`), name: word(what) })
  const account = {
    firstName: word('first'),
    lastName: word('last'),
    cityId: word('city'),
    countryId: word('country'),
    birthDate: `${1960 + place}-03-01`,
    preferredPosition: named('position'),
    sport: named('sport'),
    teams: [
      {
        clubType: named('clubType'),
        clubName: word('club'),
        teamName: word('team'),
        country: named('teamCountry'),
        location: named('teamLocation'),
        teamGender: word('teamGender'),
        ageGroup: named('ageGroup'),
      },
    ],
    createdAt: instant(2001),
    gender: 'female' as const,
    hasProfilePicture: true,
    saves: number(95),
  }
  const columns = Object.keys(getTableColumns(users)).filter((name) => name !== 'id' && !NOT_REVEALING.has(name))
  expect(Object.keys(account).toSorted(), 'a column of users has no canary here, and is not in NOT_REVEALING').toEqual(columns.toSorted())
  const [planted] = await db.update(users).set(account).where(eq(users.id, person.userId)).returning()

  const file = `${word('file')}.jpg`
  const jpeg = { name: word('label'), documentFormat: 'image/jpeg', sizeBytes: number(90), createdAt: new Date() }
  await db.insert(pictures).values({ id: crypto.randomUUID(), userId: person.userId, file, ...jpeg })

  // more than 80 answers, a different number in each state
  const answers = 80 + place
  const question = 's2-q01'
  const value = Object.fromEntries(Array.from({ length: answers }, (_, at) => [at === 0 ? question : `item-${at}`, word('answer')]))
  if (state !== 'unopened' && state !== 'opened') {
    await db.delete(answerGroups).where(eq(answerGroups.instanceId, instanceId))
    await db.insert(answerGroups).values({ instanceId, questionId: question, value, revision: number(50) })
  }
  const stored = await db.select().from(instances).where(eq(instances.id, instanceId))
  const isDone = stored[0]?.status === 'COMPLETED'
  const results = resultsOf(word, number)
  await db
    .update(instances)
    .set({ revision: number(60), ...(stored[0]?.briefOpenedAt ? { briefOpenedAt: instant(2003) } : {}), startedAt: instant(2004) })
    .where(eq(instances.id, instanceId))
  if (isDone)
    await db
      .update(instances)
      .set({ results, completedAt: instant(2002) })
      .where(eq(instances.id, instanceId))

  const texts = isDone ? await textsOf(server, person, instanceId) : []
  const { firstName, lastName, cityId, countryId, birthDate } = account
  return {
    userId: [person.userId],
    firstName: [firstName],
    lastName: [lastName],
    cityId: [cityId],
    countryId: [countryId],
    birthDate: [birthDate],
    preferredPosition: [word('positionId'), word('position')],
    sport: [word('sportId'), word('sport')],
    teamName: [word('team')],
    teams: ['clubType', 'club', 'teamCountry', 'teamLocation', 'teamGender', 'ageGroup'].map(word),
    createdAt: [instant(2001).toISOString().slice(0, 10)],
    saves: [number(95), ...(planted ? [profileVersionOf(planted)] : [])],
    picture: [file],
    pictureLabel: [word('label'), number(90)],
    answers: [word('answer'), number(50)],
    answeredCount: [answers, ...(isDone ? [everyAnswer.length] : [])],
    revision: [number(60)],
    briefOpenedAt: [instant(2003).toISOString().slice(0, 10)],
    startedAt: [instant(2004).toISOString().slice(0, 10)],
    completedAt: [instant(2002).toISOString().slice(0, 10)],
    figures: [word('scoring'), word('facet'), word('doubt'), ...Array.from({ length: 9 }, (_, at) => number(at))],
    texts,
  }
}

/** Figures that no questionnaire gives. The letters are real, because only real ones have a name. */
function resultsOf(word: (what: string) => string, number: (at: number) => number): StoredResults {
  return {
    scoringVersion: word('scoring'),
    Section1: {
      value: 'plan',
      modes: { experience: number(0), watch: number(1), idea: number(2), do: number(3) },
      axes: { ideaExperience: number(4), doWatch: number(5) },
      closeCalls: ['doWatch'],
    },
    section2: {
      value: 'INTJ',
      axes: [{ axis: 'EI', first: 'E', second: 'I', firstCount: number(6), secondCount: number(7), strength: 'strong', closeCall: true }],
    },
    section3: { facets: [{ id: word('facet'), mean: number(8) }] },
    doubts: [word('doubt')],
  }
}

/** The sentences that the player reads, as the server says them. */
async function textsOf(server: TestServer, { accessToken: bearer }: Person, instanceId: string): Promise<string[]> {
  const path = `assessment/assessment-result-text?mbti=INTJ&lsi=plan&instanceId=${instanceId}`
  const { status, body } = await ask(server, 'GET', path, { bearer })
  expect(status).toBe(200)
  const texts = leavesOf(body).flatMap(({ value }) => (typeof value === 'string' ? value.split('\n') : []))
  return texts.filter((text) => text.length > 40)
}

interface Leaf {
  path: string
  value: unknown
}

function leavesOf(body: unknown, path = ''): Leaf[] {
  if (typeof body !== 'object' || body === null) return [{ path, value: body }]
  return Object.entries(body).flatMap(([name, value]) => leavesOf(value, `${path}.${name}`))
}

const reveals = (canary: string | number, value: unknown) =>
  typeof canary === 'number' ? value === canary : typeof value === 'string' && value.includes(canary)

/** `state: name` of all data of the players in a body, with its path. */
function seenIn(body: unknown, players: readonly Player[]): Map<string, string> {
  const seen = new Map<string, string>()
  for (const { path, value } of leavesOf(body))
    for (const { state, canaries } of players)
      for (const [name, values] of Object.entries(canaries))
        // a number of answers is recognised only under its own name, as other numbers can equal it
        if ((name !== 'answeredCount' || path.endsWith('.answeredCount')) && values.some((one) => reveals(one, value)))
          seen.set(`${state}: ${name}`, path)
  return seen
}

/** Every object in a body, at any depth. */
function objectsIn(body: unknown): Record<string, unknown>[] {
  if (typeof body !== 'object' || body === null) return []
  const inside = Object.values(body).flatMap(objectsIn)
  // an object that came from JSON
  return Array.isArray(body) ? inside : [body as Record<string, unknown>, ...inside]
}

const shapeOf = (body: unknown) => JSON.stringify(body, (_name, value: unknown) => (typeof value === 'string' ? '' : value))
/** A result as a coach gets it: style and letters, and no other key. */
const COACHS_RESULT = shapeOf({
  Section1: { value: 'plan', result: 'Plan', styles: [{ value: 'plan', result: 'Plan' }] },
  section2: { value: 'INTJ', label: 'INTJ', axes: [{ axis: 'EI', first: 'E', second: 'I', letter: 'I' }] },
})
/** On the coach's page: what is clear, and nothing that is nearest. */
const RESULT_WITH_ADVICE = shapeOf({
  Section1: { styles: [{ value: 'plan', result: 'Plan' }] },
  section2: { axes: [{ axis: 'EI', first: 'E', second: 'I', letter: 'I' }] },
})

/** By law, the operator hands a person everything about them (PRIVACY-12); tests/server/users/export.server.test.ts says what that is. */
const EVERYTHING = 'users.exportPerson'
/** Calls that end a state come last. */
const ENDINGS = ['instances.correctAddress', 'instances.reclaim', 'users.deactivate', 'auth.logout']
const CALLS = everyEndpoint()
  .filter(([name, { rawBody }]) => !rawBody && name !== EVERYTHING)
  .toSorted(([a], [b]) => ENDINGS.indexOf(a) - ENDINGS.indexOf(b))

/** The usual request of a call, and others that could show the data of this player. */
function requestsOf(name: string, { person, instanceId, file }: Player): Request[] {
  const { userId, email } = person
  const instanceOfAll = {
    openInstance: instanceId,
    fullInstance: instanceId,
    doneInstance: instanceId,
    givenInstance: instanceId,
    wrongInstance: instanceId,
  }
  const named: Named = {
    userId,
    email,
    ...instanceOfAll,
    tempKey: 'none',
    session: '00000000-0000-4000-8000-000000000000',
    closing: { session: 'none', otp: '12345678' },
    checkoutSession: 'cs_none',
    coachId: '',
    tokenSession: 'cs_none',
    answersFile: file,
    // another's address: nothing is erased, since the next call must still find the player
    erasable: { userId, email: 'somebody@club.test' },
    unsubscribeToken: 'none',
  }
  const usual = requestOf(name, named)
  switch (name) {
    case 'instances.list':
      return [usual, {}, { query: { status: 'RECLAIMED' } }]
    case 'instances.allocate':
      return [{ body: { ...usual.body, playerEmail: email } }]
    case 'instances.resendTo':
      return [{ body: { email } }]
    case 'tokens.list':
      return [{}]
    case 'assessments.resultText':
      return [usual, { query: { mbti: 'INTJ', lsi: 'plan' } }]
    case 'users.list':
      return [{ query: { limit: '100' } }, { query: { email } }]
    default:
      return [usual]
  }
}

describe('what others see of a player', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.server.close())

  function send(endpoint: Endpoint, actor: Actor, { params, query, body }: Request): Promise<Reply> {
    const search = new URLSearchParams(query).toString()
    const bearer = actor === 'guest' ? {} : { bearer: world.bearers[actor] }
    return ask(world.server, endpoint.method, `${fillPath(endpoint.path, params)}${search && `?${search}`}`, { ...bearer, body })
  }

  function maySee(actor: Actor, state: State): readonly string[] {
    if (actor === 'coach') return COACH_MAY_SEE[state]
    if (actor === 'operator') return operatorMaySee(state)
    // the words of a type, which any player may ask for: they do not say whose they are
    return actor === 'otherPlayer' && (state === 'completed' || state === 'erased') ? ['texts'] : []
  }

  test.each(ACTORS)('%s sees the listed fields and no others, in every call and every state of the instance', async (actor) => {
    const found = new Set<string>()
    const wrong: string[] = []
    for (const [name, endpoint] of CALLS) {
      for (const player of world.players) {
        for (const request of requestsOf(name, player)) {
          if (endpoint.params && !request.params) throw new Error(`${name} is asked without its parameters: see access-requests.ts`)
          const { status, body } = await send(endpoint, actor, request)
          if (status >= 500) wrong.push(`${name} (${player.state}): ${status}`)
          for (const [what, path] of seenIn(body, world.players)) {
            found.add(what)
            const [state, canary] = what.split(': ') as [State, string]
            if (!maySee(actor, state).includes(canary)) wrong.push(`${name} (${player.state})${path}: ${what}`)
          }
          wrong.push(...strangeIn(actor, body).map((what) => `${name} (${player.state}): ${what}`))
        }
      }
    }
    expect([...new Set(wrong)]).toEqual([])
    // what may be seen must be found, or the search does not work; strangeIn checks the letters
    const due = STATES.flatMap((state) => maySee(actor, state).map((name) => `${state}: ${name}`)).filter((one) => !one.endsWith(': type'))
    expect([...found].toSorted()).toEqual(due.toSorted())
  })

  /** Checks by name what has too few values to be recognised by value, and the shape of a result. */
  function strangeIn(actor: Actor, body: unknown): string[] {
    const strange: string[] = []
    for (const one of objectsIn(body)) {
      if (one['gender'] === 'female') strange.push('gender')
      const { state } = world.players.find(({ person }) => person.userId === one['userId']) ?? { state: undefined }
      if (one['hasProfilePicture'] === true && !(state && maySee(actor, state).includes('picture'))) strange.push('hasProfilePicture')
      const { results, instanceId } = one
      if (results === undefined || results === null) continue
      // an erased player's instance has a new id
      const isErased = one['userName'] === 'Deleted player'
      const holder = world.players.find((player) => (isErased ? player.state === 'erased' : player.instanceId === instanceId))
      if (!holder || !maySee(actor, holder.state).includes('type')) strange.push('results')
      else if (shapeOf(results) !== ('advice' in one ? RESULT_WITH_ADVICE : COACHS_RESULT))
        strange.push(`a result with more than style and letters: ${shapeOf(results)}`)
    }
    return strange
  }
})
