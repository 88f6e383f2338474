import { describe, expect, it } from 'vitest'
import { sameValue } from '#contract/rules/merge.ts'
import { groupProblem, type GroupValue } from '#contract/rules/questionnaire.ts'
import { hashOfGroups, type HeldGroup } from '#contract/rules/receipt.ts'
import { parkedOf, unsentOf } from '#app/sync/sync.ts'
import type { FileContent } from '#contract/rules/answers-file.ts'
import { mergeFile } from '#server/instances/merge-file.ts'
import { INSTANCE, type Device, type Faults } from './device.ts'
import { QUESTIONS, SECTIONS } from './questionnaire.ts'
import { OWNER, type Server } from './server.ts'
import { makeWorld } from './world.ts'

/**
 * Seeded histories of one to three devices. The network drops, delays, repeats and reorders requests, and the app may be killed
 * at any await (ANSWERS-26). `SEEDS=100000 npm run test:unit -- chaos` runs more; `SEED=42` replays one.
 */

const SEEDS = Number(process.env.SEEDS ?? 400)
const FIRST = Number(process.env.SEED ?? 1)
const COUNT = process.env.SEED ? 1 : SEEDS
/** for the long form, on a busy machine */
const HOURS_MS = 24 * 3_600_000

const HARSH: Faults = { drop: 0.15, loseReply: 0.15, repeat: 0.15, kill: 0.03, storage: 0.05 }
const NO_FAULTS: Faults = { drop: 0, loseReply: 0, repeat: 0, kill: 0, storage: 0 }

interface HistoryOptions {
  /** groups that the server refuses */
  refused?: Set<string>
  /** files of answers are made at any moment and brought back late, twice and out of order; disks are cleared */
  hasFiles?: boolean
  /** the server loses part of a save */
  isForgetful?: boolean
}

async function history(seed: number, count: number, { refused = new Set(), hasFiles = false, isForgetful = false }: HistoryOptions = {}) {
  const faults: Faults = { ...HARSH, ...(isForgetful && { shorten: 0.3 }) }
  const world = makeWorld(seed, faults, count)
  const { random, scheduler, devices } = world
  world.server.refused = refused
  const files: FileContent[] = []
  const bring = bringTo(seed, world)
  for (let i = 0; i < 60; i += 1) {
    const device = random.pick(devices)
    const roll = random.next()
    if (hasFiles && random.chance(0.12)) files.push(device.makeFile())
    else if (hasFiles && random.chance(0.1) && files.length > 0) void bring(random.pick(files))
    else if (hasFiles && random.chance(0.02)) device.clear()
    else if (roll < 0.35) device.tap()
    else if (roll < 0.5) device.sync()
    else if (roll < 0.55) device.kill()
    else if (roll < 0.62) device.online = !device.online
    else if (roll < 0.68) device.pull()
    else await scheduler.advance()
  }
  // from here on without faults: every device is online and sends until nothing is left
  Object.assign(faults, NO_FAULTS)
  const settle = async () => {
    for (const device of devices) {
      device.online = true
      for (let i = 0; i < 20 && (device.unsent() > 0 || device.disk.operation || device.disk.finish || device.isBusy); i += 1) {
        device.sync()
        await scheduler.drain()
      }
    }
    await scheduler.drain()
  }
  await settle()
  for (const file of files.toSorted(() => random.next() - 0.5)) {
    await Promise.all([bring(file), scheduler.drain()])
  }
  return { ...world, settle, files }
}

/** Brings files back, and checks that each is accepted and all its answers are counted. */
function bringTo(seed: number, { random, server }: ReturnType<typeof makeWorld>) {
  return async (file: FileContent): Promise<void> => {
    const opened = { ...file, instanceId: INSTANCE, userId: OWNER, contentVersion: server.contentVersion }
    const outcome = await mergeFile(random.pick(server.processes), () => SECTIONS, opened)
    if (!('counts' in outcome)) throw new Error(`seed ${seed}: a file was refused: ${outcome.refusal}`)
    const { stored, there, elsewhere, refused } = outcome.counts
    expect([stored + there + elsewhere, refused], `seed ${seed}: not every answer of a file is counted`).toEqual([file.rows.length, 0])
  }
}

function check(seed: number, { server, devices, files }: Awaited<ReturnType<typeof history>>) {
  const where = `seed ${seed}`
  for (const device of devices) {
    expect(device.disk.trouble, where).toBeNull()
    expect(device.violations, where).toEqual([])
    expect(device.unsent(), `${where}: something was never sent`).toBe(0)
    // the last value of each group that the screen showed as saved is in the server's log, accepted or superseded
    const last = new Map(device.saved.map((one) => [one.questionId, one]))
    for (const { questionId, value } of last.values()) {
      const logged = server.log.some((entry) => entry.questionId === questionId && sameValue(entry.value, value))
      const held = server.groups.get(questionId)
      expect(logged || (held && sameValue(held.value, value)), `${where}: a saved answer of ${questionId} is lost`).toBe(true)
    }
    // a value superseded by another device's is offered to its owner until the owner answers again (ANSWERS-11)
    for (const { questionId, value } of last.values()) {
      const taken = server.log.some((entry) => entry.questionId === questionId && entry.accepted && sameValue(entry.value, value))
      const aside = device.disk.late.some((late) => late.questionId === questionId && sameValue(late.value, value))
      expect(taken || aside, `${where}: the late answer to ${questionId} is not offered`).toBe(true)
    }
    device.pull()
    for (const row of device.disk.answers) {
      expect(
        sameValue(row.value, server.groups.get(row.questionId)?.value ?? {}),
        `${where}: device and server differ in ${row.questionId}`,
      ).toBe(true)
    }
  }
  for (const entry of server.log) {
    const other = server.log.find(
      (one) =>
        one.accepted && one.questionId === entry.questionId && one.revision === (entry.accepted ? entry.revision - 1 : entry.revision),
    )
    if (entry.accepted && other && other.device !== entry.device)
      expect(entry.base, `${where}: ${entry.questionId} overwrote a value it had not seen`).toBe(other.revision)
    const isOfFile = files.some(({ id }) => id === entry.operation)
    if (!entry.accepted && !isOfFile && entry.isOwn !== true)
      expect(other?.device, `${where}: a device's own earlier save counted as unseen`).not.toBe(entry.device)
  }
  const everSaved = devices.flatMap((device) => [...device.savedBefore, ...device.saved])
  checkFiles(where, { server, devices, files })
  for (const { section, question } of QUESTIONS) {
    const stored = server.groups.get(question.id)
    if (!stored) continue
    expect(groupProblem(section, question, stored.value), where).toBeUndefined()
    // no group mixes the values of two devices
    expect(
      everSaved.some((one) => one.questionId === question.id && sameValue(one.value, stored.value)),
      `${where}: ${question.id} is mixed`,
    ).toBe(true)
  }
}

/** Nothing that a file brought back is lost, and neither a file nor a save replaces a newer answer of its own device. ANSWERS-30 */
function checkFiles(where: string, { server, devices, files }: Pick<Awaited<ReturnType<typeof history>>, 'server' | 'devices' | 'files'>) {
  for (const { rows } of files) {
    for (const { questionId, value } of rows) {
      const isThere = server.log.some((entry) => entry.questionId === questionId && sameValue(entry.value, value))
      // an answer that was cleared again, and the account never had one
      expect(isThere || sameValue(value, {}), `${where}: an answer to ${questionId} from a file is lost`).toBe(true)
    }
  }
  for (const { savedBefore, saved, editsByOperation } of devices) {
    const order = new Map([...savedBefore, ...saved].map(({ edit }, place) => [edit, place]))
    const last = new Map<string, number>()
    for (const { questionId, operation, device, accepted, isOwn } of server.log) {
      const place = order.get(editsByOperation.get(operation ?? '')?.[questionId] ?? '')
      if (place === undefined) continue
      const of = `${device} ${questionId}`
      const before = last.get(of) ?? 0
      if (isOwn) expect(place, `${where}: the newest answer to ${questionId} was taken for an earlier one`).toBeLessThan(before)
      if (!accepted) continue
      expect(place, `${where}: an earlier answer of its device replaced a newer one to ${questionId}`).toBeGreaterThanOrEqual(before)
      last.set(of, place)
    }
  }
}

/**
 * A history during which the server is restored from an earlier backup (ANSWERS-17).
 * @param isReopened whether the questionnaire is opened again; if not, devices get only the replies to what they send
 */
async function restoredHistory(seed: number, count: number, isReopened: boolean) {
  const faults = { ...HARSH }
  const world = makeWorld(seed, faults, count)
  const { random, scheduler, server, devices } = world
  const total = 80
  const restoredAt = 20 + random.below(50)
  const backedUpAt = random.below(restoredAt)
  let backup = server.snapshot()
  for (let i = 0; i < total; i += 1) {
    if (i === backedUpAt) backup = server.snapshot()
    if (i === restoredAt) {
      // the server is stopped before it is restored, so no request is running
      await scheduler.drain()
      server.restore(backup)
    }
    const device = random.pick(devices)
    const roll = random.next()
    if (roll < 0.35) device.tap()
    else if (roll < 0.55) device.sync()
    else if (roll < 0.59) device.kill()
    else if (roll < 0.65) device.online = !device.online
    else if (roll < 0.7 && isReopened) pullChecked(seed, server, device)
    else if (roll < 0.75 && isReopened) void device.pullSlowly()
    else await scheduler.advance()
  }
  await scheduler.drain()
  Object.assign(faults, NO_FAULTS)
  // every device goes online and reopens the questionnaire (reads, sends, reads again), or only continues answering
  for (let round = 0; round < 2 * count + 2; round += 1) {
    for (const device of devices) {
      device.online = true
      if (isReopened) pullChecked(seed, server, device)
      else device.tap()
      for (let i = 0; i < 20 && (device.unsent() > 0 || device.disk.operation || device.isBusy); i += 1) {
        device.sync()
        await scheduler.drain()
      }
    }
  }
  return world
}

/** The reply's `hash` shows whether device and server differ; after reading it, the device has every difference, or sends its own again. */
function pullChecked(seed: number, server: Server, device: Device): void {
  const where = `seed ${seed}`
  const { groups, hash } = server.reply()
  const isSame = (one: HeldGroup) =>
    groups.some(
      ({ questionId, revision, value }) => questionId === one.questionId && revision === one.revision && sameValue(value, one.value),
    )
  const before = device.acknowledgedGroups()
  const hasDifference = before.length !== groups.length || !before.every(isSame)
  expect(hashOfGroups(before) !== hash, `${where}: the hash does not show the difference`).toBe(hasDifference)
  device.pull()
  expect(
    device.acknowledgedGroups().filter((one) => !isSame(one)),
    `${where}: shown as saved, but not on the server`,
  ).toEqual([])
}

function checkRestored(seed: number, isReopened: boolean, { server, devices }: Awaited<ReturnType<typeof restoredHistory>>): void {
  const where = `seed ${seed}`
  for (const device of devices) {
    expect(device.disk.trouble, where).toBeNull()
    expect(device.violations, where).toEqual([])
    expect(device.unsent(), `${where}: something was never sent`).toBe(0)
    // a device sees newer answers of other devices only when it reads, so the hashes may differ until then
    if (isReopened || devices.length === 1)
      expect(hashOfGroups(device.acknowledgedGroups()), `${where}: device and server differ`).toBe(server.reply().hash)
    for (const held of device.acknowledgedGroups()) {
      const stored = server.groups.get(held.questionId)
      const isThere =
        stored && (stored.revision > held.revision || (stored.revision === held.revision && sameValue(stored.value, held.value)))
      expect(isThere, `${where}: ${held.questionId} is shown as saved, but not on the server`).toBe(true)
    }
    const last = new Map(device.saved.map((one) => [one.questionId, one]))
    for (const one of last.values())
      expect(isBack(one, { server, devices }), `${where}: the answer to ${one.questionId} from before the restore is lost`).toBe(true)
  }
  if (devices.length === 1) expect(devices[0]?.overwritten, where).toEqual([])
  for (const { section, question } of QUESTIONS) {
    const stored = server.groups.get(question.id)
    if (stored) expect(groupProblem(section, question, stored.value), where).toBeUndefined()
  }
}

interface Answer {
  questionId: string
  value: GroupValue
}

/**
 * Whether an answer is there again after a restore. With one device every answer is stored again; with several, each is stored, logged or
 * offered to its owner, or, where another device had replaced it before the restore, that newer one is.
 */
function isBack(one: Answer, world: Pick<Awaited<ReturnType<typeof restoredHistory>>, 'server' | 'devices'>, seen: Answer[] = []): boolean {
  const { server, devices } = world
  const isThis = (other: Answer) => other.questionId === one.questionId && sameValue(other.value, one.value)
  if (devices.length === 1) return [...server.groups.values()].some(isThis)
  if (server.log.some(isThis) || devices.some(({ disk, overwritten }) => disk.late.some(isThis) || overwritten.some(isThis))) return true
  if (seen.some(isThis)) return false
  const newer = devices.flatMap(({ replaced }) => replaced.filter(isThis))
  return newer.some(({ questionId, by }) => isBack({ questionId, value: by }, world, [...seen, one]))
}

describe('no saved answer is lost', () => {
  it.each([1, 2, 3])('with %i device(s)', { timeout: HOURS_MS }, async (count) => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) check(seed, await history(seed, count))
  })

  it.each([1, 2, 3])('with %i device(s) whose answers are also brought back in files', { timeout: HOURS_MS }, async (count) => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) check(seed, await history(seed, count, { hasFiles: true }))
  })

  it('if the server stores only part of a save, which the receipt shows', { timeout: HOURS_MS }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) check(seed, await history(seed, 1, { isForgetful: true }))
  })

  it('if a file is brought back again after the server was restored', { timeout: HOURS_MS }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
      const world = makeWorld(seed, { ...NO_FAULTS }, 1)
      const { scheduler, server, devices } = world
      const bringOne = bringTo(seed, world)
      const bring = (one: FileContent) => Promise.all([bringOne(one), scheduler.drain()])
      const backup = server.snapshot()
      for (let i = 0; i < 5; i += 1) devices[0]?.tap()
      const file = devices[0]?.makeFile()
      if (!file) throw new Error('no device')
      await bring(file)
      const before = server.reply()
      await bring(file)
      expect(server.reply(), `seed ${seed}: a file that was brought back twice changed something`).toEqual(before)
      server.restore(backup)
      await bring(file)
      expect(server.reply(), `seed ${seed}: a file did not bring back what a restore lost`).toEqual(before)
    }
  })

  it.each([1, 2, 3])('with %i device(s) if the server is restored from a backup', { timeout: HOURS_MS }, async (count) => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) checkRestored(seed, true, await restoredHistory(seed, count, true))
  })

  it.each([1, 2, 3])('with %i device(s) if nobody reopens the questionnaire after a restore', { timeout: HOURS_MS }, async (count) => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) checkRestored(seed, false, await restoredHistory(seed, count, false))
  })

  it(
    'if the server refuses some groups: the others are not delayed, and the refused ones are sent later',
    { timeout: HOURS_MS },
    async () => {
      for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
        const where = `seed ${seed}`
        const ids = QUESTIONS.map(({ question }) => question.id)
        const world = await history(seed, 1, { refused: new Set(ids.slice(seed % 4, (seed % 4) + 1 + (seed % 3))) })
        const [device] = world.devices
        if (!device) throw new Error('no device')
        const { refused } = world.server
        const stuck = unsentOf(device.disk).map(({ questionId }) => questionId)
        expect(
          stuck.filter((id) => !refused.has(id)),
          `${where}: waits for a refused group`,
        ).toEqual([])
        const parked = parkedOf(device.disk).map(({ questionId }) => questionId)
        expect(parked, `${where}: not parked`).toEqual(stuck)
        refused.clear()
        device.disk.trouble = null
        await world.settle()
        check(seed, world)
      }
    },
  )

  it('if the server is restored before Submit: answers are sent again, and it completes', { timeout: HOURS_MS }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
      const { scheduler, server, devices } = makeWorld(seed, { ...NO_FAULTS }, 1)
      const device = devices[0]
      if (!device) throw new Error('no device')
      for (let i = 0; i < 5; i += 1) device.tap()
      device.sync()
      await scheduler.drain()
      const backup = server.snapshot()
      device.answerRest()
      device.disk.finish = null
      device.sync()
      await scheduler.drain()
      server.restore(backup)
      device.disk.finish = 'save'
      device.sync()
      await scheduler.drain()
      expect([server.status, server.completions, device.results], `seed ${seed}`).toEqual(['COMPLETED', 1, { status: 'COMPLETED' }])
    }
  })

  it('if the app is killed during Submit, which still completes once and gets the results', { timeout: HOURS_MS }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
      const { random, scheduler, server, devices } = makeWorld(seed, { ...HARSH, kill: 0.1 }, 1)
      const device = devices[0]
      if (!device) throw new Error('no device')
      device.answerRest()
      for (let i = 0; i < 4000 && device.disk.finish; i += 1) {
        if (random.chance(0.3)) device.sync()
        if (random.chance(0.02)) device.kill()
        await scheduler.advance()
      }
      expect(device.disk.finish, `seed ${seed}`).toBeNull()
      expect(server.status, `seed ${seed}`).toBe('COMPLETED')
      expect(server.completions, `seed ${seed}`).toBe(1)
      expect(device.results, `seed ${seed}`).toEqual({ status: 'COMPLETED' })
    }
  })
})
