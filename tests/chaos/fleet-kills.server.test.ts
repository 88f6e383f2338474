import { setTimeout as delay } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test, expect } from 'vitest'
import { REVISION_MAXIMUM } from '#contract/constants.ts'
import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { seedInstance } from '#sandbox/demo-accounts/seed-instance.ts'
import { ASSESSMENT_ID, currentVersionOf } from '#server/content/content.ts'
import { openDatabase } from '#server/db/open.ts'
import { sql } from 'drizzle-orm'
import { balance } from '#tests/support/balancer.ts'
import { engines } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { installation, signInAt } from '#tests/support/installation.ts'
import { ownCluster } from '#tests/support/own-cluster.ts'
import { ask, claimsOf } from '#tests/support/person.ts'
import { Random } from './scheduler.ts'

/**
 * Three server processes on one PostgreSQL that really writes to its disk, behind a balancer. Players save one answer after another,
 * each save through another process; one process is killed by SIGKILL and started again, repeatedly. Every acknowledged answer is
 * stored once. `FLEET_MINUTES=60` kills one each minute for an hour.
 */
const MINUTES = Number(process.env['FLEET_MINUTES'] ?? 0)
const KILLS = MINUTES || 2
const BETWEEN_KILLS_MS = MINUTES > 0 ? 60_000 : 1500
const PLAYERS = 6
const QUESTIONS = ['s2-q01', 's2-q02', 's2-q03', 's2-q04']
const RETRY_MS = 100

test.runIf(engines.includes('postgres'))(
  'three processes, one of which is killed repeatedly, lose no acknowledged answer',
  async () => {
    const random = new Random(Number(process.env['SEED'] ?? 1))
    const { cluster, remove } = await ownCluster()
    onTestFinished(remove)
    await cluster.start()
    // one folder, so that they share their keys
    const folder = await mkdtemp(join(tmpdir(), 'touchline-fleet-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const port = await freePort()
    const settings = {
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      WRITES_PER_TEN_MINUTES: '1000000',
      READS_PER_TEN_MINUTES: '1000000',
    }
    const processes = [await installation(settings), await installation(settings), await installation(settings)]
    for (const { start } of processes) await start()
    const server = await balance(
      processes.map(({ address }) => Number(new URL(address).port)),
      port,
    )
    onTestFinished(server.close)
    const { db, close } = await openDatabase({ url: cluster.url, connections: 2 }, () => {})
    onTestFinished(close)

    const contentVersion = currentVersionOf(ASSESSMENT_ID)
    const players: { email: string; bearer: string; instanceId: string; acknowledged: string[]; last: Map<string, string | null> }[] = []
    for (let count = 0; count < PLAYERS; count += 1) {
      const email = `player${count}@club.test`
      // its mailbox is that of one process
      const bearer = await signInAt(processes[0]?.address ?? '', email)
      const instanceId = await seedInstance(db, { userId: String(claimsOf(bearer)['sub']), email, shareAnswered: 0 }, new Date())
      players.push({ email, bearer, instanceId, acknowledged: [], last: new Map() })
    }

    const state = { isOver: false, lost: 0, refusals: new Map<number, number>() }
    const play = async (player: (typeof players)[number]) => {
      const { instanceId, acknowledged, last } = player
      while (!state.isOver) {
        const id = random.pick(QUESTIONS)
        const answer = random.pick(['A', 'B'])
        const operation = { id: random.uuid(), device: random.uuid(), contentVersion, groups: [{ questionId: id, base: REVISION_MAXIMUM }] }
        const body: SaveBody = { instanceId, responses: [{ sectionName: 'Section2', id, answer }], operation }
        for (;;) {
          const reply = await ask<SaveReply>(server, 'POST', 'assessment/assessment-instance/responses', {
            bearer: player.bearer,
            body,
          }).catch(() => null)
          if (reply?.status === 200) break
          // an access token is valid for half an hour; this fails while that process is down
          if (reply?.status === 401) player.bearer = await signInAt(random.pick(processes).address, player.email).catch(() => player.bearer)
          else if (reply && reply.status !== 502) state.refusals.set(reply.status, (state.refusals.get(reply.status) ?? 0) + 1)
          // as a phone does: the same operation again
          state.lost += 1
          await delay(RETRY_MS)
        }
        acknowledged.push(operation.id)
        last.set(id, answer)
      }
    }
    const playing = players.map(play)
    for (let killed = 0; killed < KILLS; killed += 1) {
      const one = random.pick(processes)
      await delay(BETWEEN_KILLS_MS * (0.5 + random.next()))
      await one.kill()
      await one.start()
    }
    state.isOver = true
    await Promise.all(playing)

    let saves = 0
    for (const { instanceId, acknowledged, last } of players) {
      saves += acknowledged.length
      const { rows } = await db.execute<{ id: string }>(sql`select operation_id as id from answer_log where instance_id = ${instanceId}`)
      const stored = new Set(rows.map(({ id }) => id))
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
      expect(stored.size).toBe(new Set(acknowledged).size)
      const groups = await db.execute<{ id: string; value: Record<string, string | null> }>(
        sql`select question_id as id, value from answer_groups where instance_id = ${instanceId}`,
      )
      expect(new Map(groups.rows.map(({ id, value }) => [id, value[id]]))).toEqual(last)
      const [instance] = (await db.execute<{ revision: number }>(sql`select revision from instances where id = ${instanceId}`)).rows
      expect(instance?.revision).toBe(stored.size)
    }
    console.log(
      `${KILLS} kills, ${saves} saves acknowledged, none lost; ${state.lost} calls sent again; refusals: ${JSON.stringify([...state.refusals])}`,
    )
    expect(saves).toBeGreaterThan(PLAYERS)
    expect([...state.refusals.keys()].filter((status) => status !== 503)).toEqual([])
  },
  180_000 + KILLS * (BETWEEN_KILLS_MS + 60_000),
)
