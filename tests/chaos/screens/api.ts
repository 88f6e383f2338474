import type { Credentials } from '#contract/auth.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Instance, InstanceSummary, SaveBody } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import { countAnswered, countItems, itemIdsOf, type GroupValue } from '#contract/rules/questionnaire.ts'
import { SPORT } from '#contract/constants.ts'
import { saveAnswers } from '#server/instances/save-answers.ts'
import { QUESTIONS, SECTIONS } from '../questionnaire.ts'
import type { Random } from '../scheduler.ts'
import { Server } from '../server.ts'
import type { Clock } from './clock.ts'
import type { Reply, Request } from './phone.ts'

/** The server of the model: sessions in memory, and for each person one assessment, whose answers are saved by the production code. */

const ACCESS_SECONDS = 3600
/** the device on which people answer elsewhere */
export const ELSEWHERE = '00000000-0000-4000-8000-000000000000'

interface Session {
  userId: string
  isEnded: boolean
  access: Set<string>
}

const refusal = (status: number, code: ErrorCode, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { code, message: code, requestId: 'r' },
})

export class Api {
  readonly #clock: Clock
  readonly #random: Random
  readonly accounts = new Map<string, { instanceId: string; server: Server }>()
  readonly #sessions = new Map<string, Session>()
  /** expiry of each access token, epoch ms */
  readonly #expiry = new Map<string, number>()
  /** saves with the bearer of somebody other than the instance's owner */
  readonly foreign: string[] = []
  /** questions whose answers are refused */
  readonly refused = new Set<string>()
  /** questions that were answered on another device, each after its person's id */
  readonly answeredElsewhere = new Set<string>()
  #tokens = 0

  constructor(clock: Clock, random: Random, userIds: readonly string[]) {
    this.#clock = clock
    this.#random = random
    const scheduler = { step: () => clock.wait(random.next() * 3) }
    for (const userId of userIds) this.accounts.set(userId, { instanceId: `instance-of-${userId}`, server: new Server(scheduler, userId) })
  }

  account(userId: string) {
    const account = this.accounts.get(userId)
    if (!account) throw new Error(`nobody is ${userId}`)
    return account
  }

  /** A sign-in, once the code was right. */
  credentials(userId: string): Credentials {
    this.#tokens += 1
    const refreshToken = `refresh-${this.#tokens}`
    const session = { userId, isEnded: false, access: new Set<string>() }
    this.#sessions.set(refreshToken, session)
    return this.#credentials(refreshToken, session)
  }

  #credentials(refreshToken: string, session: Session): Credentials {
    this.#tokens += 1
    const accessToken = tokenOf({ userTypeCode: 'player', sid: refreshToken, n: this.#tokens, iat: Math.floor(this.#clock.now / 1000) })
    session.access.add(accessToken)
    this.#expiry.set(accessToken, this.#clock.now + ACCESS_SECONDS * 1000)
    const idToken = tokenOf({ sub: session.userId, email: `${session.userId}@example.test`, name: session.userId })
    return { accessToken, refreshToken, idToken, expiresIn: ACCESS_SECONDS }
  }

  /** The server forgets every access token: they are refused, and have to be renewed. */
  refuseTokens(): void {
    this.#expiry.clear()
  }

  /** A person's sessions end, as on "sign out everywhere else". */
  endSessions(userId: string): void {
    for (const session of this.#sessions.values()) if (session.userId === userId) session.isEnded = true
  }

  #userOf(bearer: string | undefined): string | undefined {
    if (bearer === undefined || (this.#expiry.get(bearer) ?? 0) <= this.#clock.now) return undefined
    return [...this.#sessions.values()].find(({ access, isEnded }) => !isEnded && access.has(bearer))?.userId
  }

  /** Whether the server has, or had, this value of a question. */
  has(userId: string, questionId: string, value: GroupValue): boolean {
    const { server } = this.account(userId)
    const held = server.groups.get(questionId)
    if (held && sameValue(held.value, value)) return true
    return server.log.some((entry) => entry.questionId === questionId && sameValue(entry.value, value))
  }

  /** Another device of the same person answers a question, having seen everything. */
  async answerElsewhere(userId: string, value: (questionId: string) => GroupValue): Promise<void> {
    const { instanceId, server } = this.account(userId)
    const { section, question } = this.#random.pick(QUESTIONS)
    this.answeredElsewhere.add(`${userId} ${question.id}`)
    const responses = Object.entries(value(question.id)).map(([id, answer]) => ({ sectionName: section.name, id, answer }))
    const base = server.groups.get(question.id)?.revision ?? 0
    const operation = {
      id: this.#random.uuid(),
      device: ELSEWHERE,
      contentVersion: server.contentVersion,
      groups: [{ questionId: question.id, base }],
    }
    await saveAnswers(this.#random.pick(server.processes), () => SECTIONS, userId, { instanceId, responses, operation })
  }

  async reply({ method, path, bearer, body }: Request): Promise<Reply> {
    const [route = ''] = path.split('?')
    const date = { date: new Date(this.#clock.now).toUTCString() }
    const ok = (reply: unknown, status = 200): Reply => ({ status, headers: date, body: reply })
    if (route === 'health') return ok({ status: 'ok', service: 'touchline' })
    if (route === 'user/auth/refresh' || route === 'auth/refresh') {
      const { refreshToken } = JSON.parse(body ?? '{}') as { refreshToken: string }
      const session = this.#sessions.get(refreshToken)
      if (!session) return refusal(401, 'INVALID_TOKEN')
      if (session.isEnded) return refusal(401, 'SESSION_REVOKED')
      return ok(this.#credentials(refreshToken, session))
    }
    const userId = this.#userOf(bearer)
    if (route === 'user/auth/logout') {
      for (const session of this.#sessions.values()) if (bearer !== undefined && session.access.has(bearer)) session.isEnded = true
      return { status: 204 }
    }
    if (userId === undefined) return refusal(401, 'INVALID_TOKEN')
    const { instanceId, server } = this.account(userId)
    if (route === 'assessment/assessment-instance/responses' && method === 'POST')
      return this.#save(userId, server, JSON.parse(body ?? '{}') as SaveBody, ok)
    if (route === `assessment/assessment-instance/${instanceId}/complete`) {
      await server.complete().catch(() => undefined)
      return server.status === 'COMPLETED' ? ok(this.#summary(userId)) : refusal(409, 'NOT_COMPLETE')
    }
    if (route === `assessment/assessment-instance/${instanceId}`) return ok(this.#instance(userId, path.includes('sections=none')))
    if (route === 'assessment/assessment-instance') return ok({ data: [this.#summary(userId)], page: 1, total: 1 })
    if (route === `user/${userId}`) return ok(profileOf(userId))
    return refusal(404, 'NOT_FOUND')
  }

  async #save(userId: string, server: Server, given: SaveBody, ok: (reply: unknown) => Reply): Promise<Reply> {
    const owner = [...this.accounts].find(([, { instanceId }]) => instanceId === given.instanceId)?.[0]
    if (owner !== userId) {
      this.foreign.push(`${given.instanceId} was sent as ${userId}`)
      return refusal(404, 'NOT_FOUND')
    }
    if (given.operation?.groups.some(({ questionId }) => this.refused.has(questionId))) return refusal(400, 'INVALID_ANSWER')
    const outcome = await saveAnswers(this.#random.pick(server.processes), () => SECTIONS, userId, given)
    if ('reply' in outcome) return ok(outcome.reply)
    if (outcome.refusal === 'BUSY') return refusal(503, 'UNAVAILABLE', { 'retry-after': '1' })
    return refusal(outcome.refusal === 'NOT_FOUND' ? 404 : 409, outcome.refusal)
  }

  #summary(userId: string): InstanceSummary {
    const { instanceId, server } = this.account(userId)
    return {
      instanceId,
      assessmentId: 'a',
      contentVersion: server.contentVersion,
      userId,
      userName: userId,
      userLastname: null,
      userEmail: `${userId}@example.test`,
      userSportId: null,
      userSportName: null,
      userPositionId: null,
      userPositionName: null,
      userTeam: null,
      userPlayerType: null,
      status: server.status,
      completedDate: null,
      allocatedAt: null,
      name: 'Assessment',
      coachFirstName: null,
      coachLastName: null,
      estimatedTimeMinutes: 5,
      videoUrls: [],
      results: null,
      SampleReportFilename: '',
      answeredCount: countAnswered(SECTIONS, server.answers()),
      itemCount: countItems(SECTIONS),
      revision: server.revision,
    }
  }

  #instance(userId: string, isWithoutSections: boolean): Instance {
    const { server } = this.account(userId)
    const { groups, hash } = server.reply()
    return {
      ...this.#summary(userId),
      sections: isWithoutSections ? [] : SECTIONS,
      responses: QUESTIONS.flatMap(({ section, question }) => {
        const held = groups.find(({ questionId }) => questionId === question.id)
        return itemIdsOf(question).flatMap((id) => {
          const answer = held?.value[id]
          return answer ? [{ sectionName: section.name, id, answer }] : []
        })
      }),
      groups: groups.map(({ questionId, revision }) => ({ questionId, revision })),
      hash,
    }
  }
}

const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const tokenOf = (claims: object) => `x.${part(claims)}.x`

function profileOf(userId: string): object {
  return {
    userId,
    userTypeCode: 'player',
    firstName: userId,
    lastName: 'Player',
    email: `${userId}@example.test`,
    cityId: 'c',
    countryId: 'CA',
    gender: 'male',
    birthDate: '2000-01-01',
    preferredPosition: { id: 'p', name: 'p' },
    sport: { id: SPORT.id, name: SPORT.id },
    hasProfilePicture: false,
    teams: [],
    assessmentInstances: [],
  }
}
