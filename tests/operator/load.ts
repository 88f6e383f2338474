import type { Instance } from '#contract/instances.ts'
import { everyAnswer, save } from '#tests/server/instances/support.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'

interface Saver {
  person: Person
  instanceId: string
  /** ids of the questions or items whose answer the server acknowledged, in order */
  acknowledged: string[]
}

export interface Load {
  savers: Saver[]
  /** resolves once each player has had so many answers acknowledged */
  begun: (answers: number) => Promise<void>
  /** acknowledged so far, of each player */
  counts: () => number[]
  /** stops sending, and waits for what is under way */
  stop: () => Promise<void>
}

/** Players who answer one question after another, each without a pause, and begin again once all are answered. */
export async function loadOn(server: TestServer, players: number): Promise<Load> {
  const savers: Saver[] = []
  for (let at = 0; at < players; at += 1) {
    const person = await signIn(server, `saver${at}@club.test`)
    savers.push({ person, instanceId: await server.giveInstance(person), acknowledged: [] })
  }
  const state = { isStopped: false }
  const sending = savers.map(async ({ person, instanceId, acknowledged }) => {
    for (let at = 0; !state.isStopped; at = (at + 1) % everyAnswer.length) {
      const response = everyAnswer[at] as { id: string } // within its length
      const { status } = await save(server, person, instanceId, [response])
      if (status === 200 && acknowledged.length < everyAnswer.length) acknowledged.push(response.id)
    }
  })
  return {
    savers,
    begun: async (answers) => {
      while (savers.some(({ acknowledged }) => acknowledged.length < answers)) await new Promise((resolve) => setImmediate(resolve))
    },
    counts: () => savers.map(({ acknowledged }) => acknowledged.length),
    stop: async () => {
      state.isStopped = true
      await Promise.all(sending)
    },
  }
}

/** What the server has of what was acknowledged to each player at a moment: `missing` must be empty. */
export async function compare(server: { address: string }, savers: readonly Saver[], counts: readonly number[]) {
  let found = 0
  const missing: string[] = []
  for (const [at, { person, instanceId, acknowledged }] of savers.entries()) {
    const { status, body } = await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceId}`, {
      bearer: person.accessToken,
    })
    if (status !== 200) throw new Error(`${person.email} cannot read what they answered: ${status}`)
    const has = new Set(body.responses.map(({ id }) => id))
    for (const id of acknowledged.slice(0, counts[at])) {
      if (has.has(id)) found += 1
      else missing.push(`${person.email} ${id}`)
    }
  }
  return { found, missing }
}
