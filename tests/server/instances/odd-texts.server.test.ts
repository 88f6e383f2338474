import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { answersStore } from '#server/instances/answers-store.ts'
import type { AnswersChange } from '#server/instances/save-answers.ts'
import { engines } from '#tests/support/databases.ts'
import { signIn } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

const TEXTS = [
  'a\nb',
  'a\\nb',
  '\n',
  '',
  '\r\n',
  '"',
  '\\',
  '\\"',
  '\u2028\u2029',
  '{a,b}',
  'null',
  'NULL',
  ',',
  "'",
  '\u{1F600}',
  '\u0001',
  '\u0085',
]

/** The answers of a save reach PostgreSQL as lines and array literals. */
describe.each(engines)('texts with characters that are special in lines and arrays (%s)', (database) => {
  const server = givenServer({ database })

  test('are stored unchanged, by a single save and by saves that share a statement', async () => {
    const { userId, ...player } = await signIn(server, 'odd@example.test')
    const port = answersStore(server.deps.db, server.deps.clock.now)
    const changeOf = (instanceId: string, texts: string[], expectedRevision: number): AnswersChange => {
      const device = randomUUID()
      const groups = texts.map((text) => ({
        ...{ questionId: `q${text}`, value: { [text]: text, other: null } },
        ...{ revision: expectedRevision + 1, device, order: text === '' ? null : Number.MAX_SAFE_INTEGER },
      }))
      return {
        ...{ instanceId, userId, expectedRevision, lastSave: null, closes: null, device },
        ...(expectedRevision === 0 ? { added: groups, changed: [] } : { added: [], changed: groups }),
        operation: { id: randomUUID(), contentHash: texts.join('') },
        save: {
          ...{ revision: expectedRevision + 1, completionStatus: 'IN_PROGRESS', superseded: [] },
          groups: groups.map(({ questionId, value, revision }) => ({ questionId, value, revision, base: 0 })),
        },
      }
    }
    const byQuestion = <Group extends { questionId: string }>(groups: Iterable<Group>) =>
      new Map([...groups].map((group) => [group.questionId, group]))

    const given = [TEXTS, [], TEXTS.slice(3), TEXTS.slice(0, 1), TEXTS.toReversed()]
    const ids = await Promise.all(given.map(() => server.giveInstance({ userId, ...player })))
    for (const revision of [0, 1]) {
      const changes = given.map((texts, at) => changeOf(ids[at] ?? '', texts, revision))
      expect(await Promise.all(changes.map(port.write))).not.toContain(undefined)
      for (const { instanceId, added, changed, operation, save } of changes) {
        const stored = await port.read(instanceId, userId, operation?.id ?? null, 'fresh')
        expect(byQuestion(stored?.groups.values() ?? [])).toEqual(byQuestion([...added, ...changed]))
        expect(stored?.operation).toEqual({ ...save, contentHash: operation?.contentHash })
      }
    }
  })
})
