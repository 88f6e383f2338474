import { REOPEN_DAYS } from '#contract/constants.ts'
import { instancesForOperator } from '#contract/instances.operator.ts'
import { daysBefore } from '#contract/rules/dates.ts'
import { isId } from '#contract/rules/ids.ts'
import { usersForOperator, type Account } from '#contract/users.operator.ts'
import { call, serverOf, type Server } from './calls.ts'
import { requireNew, writeNew } from './make-keys.ts'
import { ExitError } from './exit.ts'
import type { Tool } from './tool.ts'

/** What the operator does for or against one person, by calls to the running server. */

/** @throws ExitError if nobody has this e-mail address or id */
async function find(server: Server, person: string): Promise<Account> {
  const query = isId(person) ? { userId: person } : { email: person }
  const { data } = await call(server, usersForOperator.list, { query })
  const [account] = data
  if (!account) throw new ExitError(`No account has ${isId(person) ? 'the id' : 'the address'} ${person}. An erased one has none either.`)
  return account
}

interface ExportOptions {
  server?: string | undefined
  out?: string | undefined
}

export async function exportPerson(tool: Tool, person: string, { server: address, out }: ExportOptions): Promise<void> {
  // before the call, which is written into the audit log
  if (out !== undefined) await requireNew(out)
  const server = await serverOf(tool, address)
  const { userId } = await find(server, person)
  const text = JSON.stringify(await call(server, usersForOperator.exportPerson, { params: { userId } }), null, 2)
  if (out === undefined) return tool.print(text)
  await writeNew(out, `${text}\n`)
  tool.warn(`Wrote ${out}, readable by its owner only. Hand it to nobody but the person it is about.`)
}

export async function erase(tool: Tool, person: string, address: string | undefined): Promise<void> {
  const server = await serverOf(tool, address)
  const { userId, email } = await find(server, person)
  await call(server, usersForOperator.erase, { params: { userId }, body: { email } })
  tool.print(`Erased ${userId}. Its picture's file goes within two hours, and the mail address is free.`)
}

export async function reopen(tool: Tool, person: string, address: string | undefined): Promise<void> {
  const server = await serverOf(tool, address)
  const { userId, email, userTypeCode, deactivatedAt } = await find(server, person)
  if (deactivatedAt === null) throw new ExitError(`The account ${userId} is open: there is nothing to do.`)
  if (new Date(deactivatedAt) <= daysBefore(tool.now(), REOPEN_DAYS))
    throw new ExitError(
      `The account ${userId} was closed more than ${REOPEN_DAYS} days ago: it is erased within the hour, and cannot be opened again.`,
    )
  await call(server, usersForOperator.create, { body: { email, userTypeCode } })
  tool.print(
    `Opened ${userId} again, unchanged. Its owner signs in with a code, as before, unless the address is blocked: then unblock it.`,
  )
}

const OUTCOMES: Record<string, string> = {
  queued: 'is sent as soon as the mail server takes it',
  completed: 'has been completed since: no mail',
  unknown: 'has been taken back since: no mail',
  unwanted: 'no mail: the owner of the address wants no invitations, or it is blocked',
  bounced: 'no mail: mail to the address came back',
  limit: 'no mail: five reminders were sent or refused',
  'address-limit': 'no mail now: the address had as many as it may in a week',
}

interface ResendOptions {
  server?: string | undefined
  json: boolean
}

export async function resend(tool: Tool, email: string, { server: address, json }: ResendOptions): Promise<void> {
  const server = await serverOf(tool, address)
  const { data } = await call(
    server,
    instancesForOperator.resendTo,
    { body: { email } },
    `No assessment that a coach gave is open for ${email}: there is nothing to send.`,
  )
  if (json) return tool.print(JSON.stringify(data))
  for (const { instanceId, outcome } of data) tool.print(`${instanceId} ${OUTCOMES[outcome] ?? outcome}`)
  if (data.every(({ outcome }) => outcome !== 'queued')) throw new ExitError('No mail was sent.')
}

interface BlockOptions {
  server?: string | undefined
  isBlocked: boolean
}

/** An address needs no account to be blocked. */
export async function block(tool: Tool, person: string, { server: address, isBlocked }: BlockOptions): Promise<void> {
  const server = await serverOf(tool, address)
  const email = isId(person) ? (await find(server, person)).email : person
  if (!isBlocked) {
    await call(server, usersForOperator.unblock, { body: { email } }, `${email} is not blocked: there is nothing to do.`)
    return tool.print(`${email} can be used to sign in again.`)
  }
  const { userId, sessionsEnded } = await call(server, usersForOperator.block, { body: { email } })
  tool.print(`Blocked ${email}: ${userId === null ? 'it has no account' : `account ${userId}, ${sessionsEnded} sessions ended`}.`)
}
