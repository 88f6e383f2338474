import { answeredGroups, type Leaning } from '#sandbox/demo-accounts/leaning.ts'
import { assessments } from '#contract/assessments.ts'
import { auth, type Credentials } from '#contract/auth.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { fillPath, type Endpoint, type ReplyOf, type RequestOf } from '#contract/endpoint.ts'
import { instances, type Instance } from '#contract/instances.ts'
import { users, type ProfileChange } from '#contract/users.ts'
import { usersForOperator } from '#contract/users.operator.ts'
import type { Language } from '#contract/languages.ts'
import type { ProductServer } from './server.ts'

/** Calls the API directly: to prepare a journey, and to check what arrived. */

interface Asking {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
}

export class Api {
  readonly url: string
  readonly bearer: string | undefined
  constructor(url: string, bearer?: string) {
    this.url = url
    this.bearer = bearer
  }

  async ask<E extends Endpoint>(endpoint: E, request: RequestOf<E>, language: Language = 'en'): Promise<ReplyOf<E>> {
    const { params, query = {}, body } = request as Asking // what any endpoint may have
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const response = await fetch(`${this.url}/api/${fillPath(endpoint.path, params)}?${search.join('&')}`, {
      method: endpoint.method,
      headers: {
        'accept-language': language,
        ...(this.bearer === undefined ? {} : { authorization: `Bearer ${this.bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${endpoint.method} ${endpoint.path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<E> // the server's own contract
  }

  async mails(to: string): Promise<{ subject: string; text: string }[]> {
    const response = await fetch(`${this.url}/dev/mail.json?to=${encodeURIComponent(to)}`)
    return (await response.json()) as { subject: string; text: string }[] // OPERATE-4
  }

  /** The newest code mailed to an address: an invitation may arrive after it. */
  async code(to: string): Promise<string> {
    const codes = (await this.mails(to)).map(({ text }) => /\b\d{8}\b/.exec(text)?.[0])
    const code = codes.find((one) => one !== undefined)
    if (code === undefined) throw new Error(`No code was mailed to ${to}`)
    return code
  }
}

export interface Person extends Credentials {
  email: string
  userId: string
  api: Api
}

export async function signInByApi(url: string, email: string, userTypeCode: UserTypeCode = 'player'): Promise<Person> {
  const guest = new Api(url)
  const { session } = await guest.ask(auth.initiate, { body: { email, userTypeCode } })
  const credentials = await guest.ask(auth.verifyOtp, { body: { session, email, otp: await guest.code(email) } })
  const claims = JSON.parse(Buffer.from(credentials.accessToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  return { ...credentials, email, userId: claims.sub, api: new Api(url, credentials.accessToken) }
}

/** Erases the account, as the operator does when its owner asks. */
export async function erase(server: ProductServer, { userId, email }: Person): Promise<void> {
  const operator = new Api(server.url, await server.operatorKey())
  await operator.ask(usersForOperator.erase, { params: { userId }, body: { email } })
}

let made = 0
export const newAddress = () => `player.${process.pid}.${(made += 1)}.${Date.now()}@club.test`

/** of every player that is made here */
export const playerDetails: ProfileChange = {
  firstName: 'Maya',
  lastName: 'Lindqvist',
  countryId: 'Canada',
  cityId: 'Montréal',
  gender: 'female',
  birthDate: '2005-03-01',
  preferredPosition: { id: 'goalkeeper', name: 'goalkeeper' },
  sport: { id: 'soccer', name: 'Soccer' },
  teams: [],
}

/** of src/sandbox/demo-accounts: has results */
export const DEMO_PLAYER_DONE = 'player.done@demo.test'

/** A player with a complete profile who has bought an assessment and answered `questions` of its questions. */
export async function newPlayer(url: string, { questions = 0, hasBought = true } = {}): Promise<Person & { instanceId: string }> {
  const player = await signInByApi(url, newAddress())
  await player.api.ask(users.update, { params: { id: player.userId }, body: playerDetails })
  const instanceId = hasBought ? await buy(player) : ''
  if (questions > 0) {
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
    await player.api.ask(instances.saveResponses, { body: { instanceId, responses: script.slice(0, questions).flatMap(responsesOf) } })
  }
  return { ...player, instanceId }
}

/** Pays for a checkout session with a good card, as the form of the demo does. */
export async function payByApi(url: string, clientSecret: string | null): Promise<void> {
  await fetch(`${url}/dev/card-frame/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientSecret, lang: 'en', number: '4242424242424242', expiry: '12/40', cvc: '123' }),
  })
}

/** Buys one assessment; its instance's id. */
export async function buy({ api }: Person): Promise<string> {
  const [assessment] = (await api.ask(assessments.list, { query: { page: 1, limit: 10 } })).data
  const priceId = assessment?.prices.find(({ nickname }) => nickname)?.id ?? ''
  const { clientSecret, sessionId } = await api.ask(assessments.checkout, { params: { priceId } })
  await payByApi(api.url, clientSecret)
  const { assessmentInstanceId } = await api.ask(assessments.completeCheckout, { body: { session_id: sessionId } })
  if (!assessmentInstanceId) throw new Error('The purchase brought no instance')
  return assessmentInstanceId
}

/** Answers everything as somebody with this leaning would, and submits it. */
export async function completeAs({ api }: Person, instanceId: string, leaning: Leaning): Promise<void> {
  const { contentVersion, sections } = await api.ask(instances.get, { params: { instanceId } })
  const sectionOf = (questionId: string) => sections.find(({ questions }) => questions.some(({ id }) => id === questionId))?.name ?? ''
  const responses = answeredGroups(contentVersion, 1, leaning).flatMap(({ questionId, value }) =>
    Object.entries(value).map(([id, answer]) => ({ sectionName: sectionOf(questionId), id, answer })),
  )
  await api.ask(instances.saveResponses, { body: { instanceId, responses } })
  await api.ask(instances.complete, { params: { instanceId } })
}

/** A question and how to answer it. `value` is the value that the API stores, `says` its text on screen. */
export interface ScriptedQuestion {
  sectionName: string
  section: number
  type: 'likertscale' | 'ipsative' | 'likertitem'
  id: string
  text: string
  items: { id: string; text: string; value: string; says: string }[]
}

/** An answer to every question, always the same; another `turn` gives other answers. */
export function scriptOf(instance: Instance, turn = 0): ScriptedQuestion[] {
  return instance.sections.flatMap((section, s) =>
    section.questions.map((question, q) => {
      const items = question.subQuestions.length > 0 ? question.subQuestions : [question]
      const options = question.options.length > 0 ? question.options : section.sectionOptions
      return {
        sectionName: section.name,
        section: s,
        type: section.type.toLowerCase() as ScriptedQuestion['type'], // the three types
        id: question.id,
        text: question.question,
        items: items.map((item, i) => {
          const option = options[(turn + q + i) % options.length]
          return { id: item.id, text: item.question, value: option?.value ?? '', says: option?.label ?? '' }
        }),
      }
    }),
  )
}

export function responsesOf({ sectionName, items }: ScriptedQuestion) {
  return items.map(({ id, value }) => ({ sectionName, id, answer: value }))
}

/** Item → answer, from a script. */
export function answersOf(script: readonly ScriptedQuestion[]): Record<string, string> {
  return Object.fromEntries(script.flatMap(({ items }) => items.map(({ id, value }) => [id, value])))
}

/** Item → answer, from the server. */
export async function storedAnswers({ api }: Person, instanceId: string): Promise<Record<string, string>> {
  const { responses } = await api.ask(instances.get, { params: { instanceId } })
  return Object.fromEntries(responses.flatMap(({ id, answer }) => (answer === null ? [] : [[id, answer]])))
}
