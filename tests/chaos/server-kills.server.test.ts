import { expect, test } from 'vitest'
import { REVISION_MAXIMUM } from '#contract/constants.ts'
import type { Instance, SaveBody, SaveReply } from '#contract/instances.ts'
import { itemIdsOf, RATINGS } from '#contract/rules/questionnaire.ts'
import { installation, signInAt } from '#tests/support/installation.ts'
import { ask } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { Random } from './scheduler.ts'

/**
 * A server that is killed with SIGKILL at any moment while answers are saved and keeps its data: what it confirmed is stored.
 * `npm run chaos -- --only servers` kills it 300 times, in portions.
 */
const KILLS = Number(process.env['SERVER_KILLS'] ?? 2)
const PLAYER = 'player@demo.test'
/** Time for several saves; the kill comes before, during or after one. */
const KILLED_WITHIN_MS = 400

test.runIf(engines.includes('embedded'))(
  'a killed server has every confirmed answer after its restart',
  async () => {
    const random = new Random(Number(process.env['SEED'] ?? 1))
    const { address, start, kill } = await installation()
    await start()
    const server = { address }
    const bearer = await signInAt(address, PLAYER)
    const list = (
      await ask<{ data: { instanceId: string; status: string }[] }>(server, 'GET', 'assessment/assessment-instance', { bearer })
    ).body
    const open = list.data.find(({ status }) => status === 'OWNED' || status === 'IN_PROGRESS')
    if (!open) throw new Error('the demo player has no open assessment')
    const path = `assessment/assessment-instance/${open.instanceId}`
    const { sections, contentVersion, responses } = (await ask<Instance>(server, 'GET', path, { bearer })).body
    const questions = sections.flatMap((section) => section.questions.map((question) => ({ section, question })))

    /** what each item may be: the last confirmed value, and those sent since without a reply */
    const possible = new Map(responses.map(({ id, answer }) => [id, new Set([answer])]))
    let confirmed = 0
    const save = async () => {
      const { section, question } = random.pick(questions)
      const values = section.type === 'ipsative' ? ['A', 'B'] : [...RATINGS]
      const shift = random.below(values.length)
      const sent = itemIdsOf(question).map((id, at) => ({
        sectionName: section.name,
        id,
        answer: values[(at + shift) % values.length] ?? null,
      }))
      for (const { id, answer } of sent) possible.set(id, new Set([...(possible.get(id) ?? [null]), answer]))
      const operation = {
        id: random.uuid(),
        device: random.uuid(),
        contentVersion,
        groups: [{ questionId: question.id, base: REVISION_MAXIMUM }],
      }
      const body: SaveBody = { instanceId: open.instanceId, responses: sent, operation }
      const reply = await ask<SaveReply>(server, 'POST', 'assessment/assessment-instance/responses', { bearer, body }).catch(
        () => undefined,
      )
      if (reply?.status !== 200) return false
      confirmed += 1
      for (const { id, answer } of sent) possible.set(id, new Set([answer]))
      return true
    }

    for (let killed = 0; killed < KILLS; killed += 1) {
      const state = { isOver: false }
      const saving = (async () => {
        while (!state.isOver) if (!(await save())) return
      })()
      await new Promise((resolve) => setTimeout(resolve, 5 + random.next() * KILLED_WITHIN_MS))
      await kill()
      state.isOver = true
      await saving
      await start()
      const read = await readWhenReady(server, path, bearer)
      const stored = new Map(read.responses.map(({ id, answer }) => [id, answer]))
      for (const [id, values] of possible) {
        const held = stored.get(id) ?? null
        expect(values.has(held), `kill ${killed + 1}: ${id} is ${held}, not ${[...values].join(' or ')}`).toBe(true)
        possible.set(id, new Set([held]))
      }
    }
    console.log(`${KILLS} kills, ${confirmed} saves confirmed`)
    expect(confirmed).toBeGreaterThan(0)
  },
  60_000 + KILLS * 20_000,
)

/** A busy server may reply 503; nothing else is expected. */
async function readWhenReady(server: { address: string }, path: string, bearer: string): Promise<Instance> {
  for (;;) {
    const { status, body } = await ask<Instance>(server, 'GET', path, { bearer })
    if (status === 200) return body
    expect(status, JSON.stringify(body)).toBe(503)
  }
}
