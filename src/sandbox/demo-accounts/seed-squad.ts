import { randomUUID } from 'node:crypto'
import { tokensTotal } from '#contract/rules/pricing.ts'
import { DAY_MS, daysBefore } from '#contract/rules/dates.ts'
import { ASSESSMENT_ID, currentVersionOf } from '#server/content/content.ts'
import type { Env } from '#server/env.ts'
import { score } from '#server/instances/scoring.ts'
import { addTokens, spendToken } from '#server/ledger/store.ts'
import { player, position } from './club.ts'
import { PROFILE_POSITIONS, SQUAD, type SquadPlayer } from './squad.ts'
import type { Database } from '#server/db/database.ts'
import { answerGroups, answerLog } from '#server/db/schema/answers.ts'
import { instances } from '#server/db/schema/instances.ts'
import { orders } from '#server/db/schema/orders.ts'
import { users } from '#server/db/schema/users.ts'
import { answeredGroups, leaningOf } from './leaning.ts'
import { itemsOf, loggedSave } from './seed-instance.ts'

const TOKENS = 32
const HOUR_MS = 3_600_000

/** Creates a demo coach's purchase and players. Uses the ledger's own functions, so that balance and ledger agree. Sends no mails. */
export async function seedSquad(tx: Database, coachId: string, env: Env, now: Date): Promise<void> {
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const squad = SQUAD.map((one, place) => ({
    ...one,
    ...datesOf(one, place, now),
    id: randomUUID(),
    userId: one.hasAccount ? randomUUID() : null,
    answers: answeredGroups(contentVersion, one.share, leaningOf(one.seed)),
  }))
  const longest = Math.max(...SQUAD.map(({ given }) => given))
  await buyTokens(tx, coachId, env, daysBefore(now, longest + 1))
  await tx.insert(users).values(squad.flatMap((one) => accountOf(one) ?? []))
  await tx.insert(instances).values(squad.map((one) => ({ ...instanceOf(one), coachId })))
  for (const { id, givenAt } of squad) await spendToken(tx, coachId, id, givenAt)
  const begun = squad.filter(({ answers }) => answers.length > 0)
  const groups = begun.flatMap(({ id: instanceId, answers }) => answers.map((group) => ({ ...group, instanceId, revision: 1 })))
  await tx.insert(answerGroups).values(groups)
  const saves = begun.map(({ id, answers, completedAt, startedAt, givenAt }) =>
    loggedSave(id, answers, completedAt !== null, startedAt ?? givenAt),
  )
  await tx.insert(answerLog).values(saves)
}

type Given = SquadPlayer & ReturnType<typeof datesOf> & { id: string; userId: string | null; answers: ReturnType<typeof answeredGroups> }

function instanceOf({ id, userId, email, givenAt, invitedAt, startedAt, completedAt, answers, team, position: plays, type }: Given) {
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const own = { id, userId, assessmentId: ASSESSMENT_ID, contentVersion, email, emailNormal: email }
  const dates = {
    allocatedAt: givenAt,
    invitedAt,
    resends: invitedAt === givenAt ? 0 : 1,
    createdAt: givenAt,
    startedAt,
    briefOpenedAt: startedAt,
    completedAt,
  }
  const noted = { userTeam: team, userPositionName: plays, userPlayerType: type }
  const given = { ...own, ...dates, ...noted, revision: startedAt ? 1 : 0 }
  if (!completedAt) return { ...given, status: startedAt ? ('IN_PROGRESS' as const) : ('ALLOCATED' as const) }
  const results = score(contentVersion, itemsOf(answers))
  return { ...given, status: 'COMPLETED' as const, results, scoringVersion: results.scoringVersion }
}

async function buyTokens(tx: Database, coachId: string, { tokenPrice, tokenPromotion }: Env, at: Date): Promise<void> {
  const orderId = randomUUID()
  const { id: priceId, unitAmount, currency } = tokenPrice
  const { conditionValue: threshold, promotionValue: percent } = tokenPromotion
  const amountTotal = tokensTotal(unitAmount, TOKENS, { threshold, percent })
  const bought = { kind: 'tokens', priceId, quantity: TOKENS, unitAmount, amountTotal, currency } as const
  const paid = { status: 'fulfilled', idempotencyKey: `order-${orderId}`, createdAt: at, fulfilledAt: at } as const
  await tx.insert(orders).values({ ...bought, ...paid, id: orderId, userId: coachId })
  await addTokens(tx, { coachId, amount: TOKENS, orderId }, at)
}

/** Dates at various hours of the day. Players who have been waiting for more than a week were invited a second time. */
function datesOf({ given, began, finished, share }: SquadPlayer, place: number, now: Date) {
  const at = (days: number) => new Date(now.getTime() - days * DAY_MS - ((place * 5) % 11) * HOUR_MS)
  const givenAt = at(given)
  return {
    givenAt,
    invitedAt: share === 0 && given > 7 ? at(given - 5) : givenAt,
    startedAt: began === undefined ? null : at(began),
    completedAt: finished === undefined ? null : at(finished - 0.02),
  }
}

function accountOf({ userId, name, email, gender, position: plays, givenAt }: SquadPlayer & { userId: string | null; givenAt: Date }) {
  if (userId === null) return undefined
  const [firstName, lastName] = name
  const preferredPosition = position(PROFILE_POSITIONS[plays ?? 'Midfielder'])
  return {
    ...player,
    id: userId,
    userType: 'player' as const,
    email,
    emailNormal: email,
    firstName,
    lastName,
    gender,
    preferredPosition,
    createdAt: givenAt,
  }
}
