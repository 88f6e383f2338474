import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allocate, coachWith, complete, openBrief, save } from '#tests/server/instances/support.ts'
import { freePort } from '#tests/support/free-port.ts'
import { newEmail } from '#tests/support/given-person.ts'
import { ask, closeAccount, signIn } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { newFolder, touchline } from './support.ts'

describe('the operator’s work for one person', () => {
  const server = givenServer()
  const tool = (...args: string[]) =>
    touchline([...args, '--server', server.address], { OPERATOR_KEY: server.deps.keys.operatorKey, DATA_DIR: '/nowhere' })
  const acts = async () => (await server.rows('audit_entries')).map(({ about }) => String(about))

  test('erase closes and erases at once, by address or id, and is in the audit log', async () => {
    for (const by of ['email', 'userId'] as const) {
      const player = await signIn(server, newEmail('erased'))
      const instanceId = await server.giveInstance(player)
      await save(server, player, instanceId)
      expect(await tool('erase', player[by], '--yes')).toMatchObject({ exit: 0, out: expect.stringContaining(`Erased ${player.userId}`) })
      expect((await ask(server, 'GET', `user/${player.userId}`, { bearer: player.accessToken })).status).toBe(401)
      const rows = await server.rows('users')
      expect(rows.find(({ id }) => id === player.userId)).toMatchObject({ email: '', first_name: null })
      expect(rows.find(({ id }) => id === player.userId)?.['erased_at']).not.toBeNull()
      expect((await server.rows('answer_log')).filter((row) => row['instance_id'] === instanceId)).toEqual([])
      expect(await acts()).toContain(`users.erase ${player.userId}`)
      expect(await tool('erase', player[by], '--yes')).toMatchObject({ exit: 1, err: expect.stringContaining('No account has') })
      // the address is free
      expect((await signIn(server, player.email)).userId).not.toBe(player.userId)
    }
  })

  test('reopen opens a closed account, unchanged, and no other', async () => {
    const player = await signIn(server, newEmail('reopened'))
    expect(await tool('reopen', player.email)).toMatchObject({ exit: 1, err: expect.stringContaining('is open') })
    await closeAccount(server, player)
    await expect(signIn(server, player.email)).rejects.toThrow('ACCOUNT_CLOSED')
    expect(await tool('reopen', player.email)).toMatchObject({ exit: 0 })
    expect((await signIn(server, player.email)).userId).toBe(player.userId)
    await server.deps.db.execute(`update users set deactivated_at = now() - interval '31 days' where id = '${player.userId}'`)
    expect(await tool('reopen', player.userId)).toMatchObject({ exit: 1, err: expect.stringContaining('more than 30 days ago') })
    expect(await tool('reopen', 'nobody@club.test')).toMatchObject({ exit: 1, err: expect.stringContaining('No account has') })
    expect((await server.rows('users')).some(({ email }) => email === 'nobody@club.test')).toBe(false)
  })

  test('resend sends an invitation again, within the limits', async () => {
    const coach = await coachWith(server, newEmail('coach'), 2)
    const invited = newEmail('invited')
    const { instanceId } = (await allocate(server, coach, invited)).body
    await server.deps.jobs.settled('mails')
    const before = server.mails(invited).length
    expect(await tool('resend', invited)).toMatchObject({ exit: 0, out: `${instanceId} is sent as soon as the mail server takes it` })
    await server.deps.jobs.settled('mails')
    expect(server.mails(invited)).toHaveLength(before + 1)
    for (let more = 0; more < 4; more += 1) await tool('resend', invited)
    const { exit, out, err } = await tool('resend', invited)
    expect([exit, out, err]).toEqual([1, expect.stringContaining('five reminders were sent'), 'No mail was sent.'])
    expect(JSON.parse((await tool('resend', invited, '--json')).out)).toEqual([{ instanceId, outcome: 'limit' }])
    expect(await tool('resend', 'nobody@club.test')).toMatchObject({
      exit: 1,
      err: expect.stringContaining('is open for nobody@club.test: there is nothing to send'),
    })
  })

  test('block ends the sessions of an address, lets nobody sign in with it and sends it no invitations, until unblock', async () => {
    const player = await signIn(server, newEmail('blocked'))
    expect(await tool('block', player.userId)).toMatchObject({ exit: 0, out: expect.stringContaining('1 sessions ended') })
    expect((await ask(server, 'GET', `user/${player.userId}`, { bearer: player.accessToken })).status).toBe(401)
    await expect(signIn(server, player.email.toUpperCase())).rejects.toThrow('ADDRESS_BLOCKED')
    const coach = await coachWith(server, newEmail('coach'), 1)
    await allocate(server, coach, player.email)
    await server.deps.jobs.settled('mails')
    expect(server.mails(player.email).filter(({ text }) => text.includes('/invitations/stop'))).toEqual([])
    expect(await tool('unblock', player.email)).toMatchObject({ exit: 0 })
    expect((await signIn(server, player.email)).userId).toBe(player.userId)
    expect(await tool('unblock', player.email)).toMatchObject({ exit: 1, err: `${player.email} is not blocked: there is nothing to do.` })
    expect(await acts()).toEqual(expect.arrayContaining(['users.block', 'users.unblock', player.userId]))
  })

  test('an address without an account can be blocked, and none is made', async () => {
    const email = newEmail('stranger')
    expect(await tool('block', email)).toMatchObject({ exit: 0, out: expect.stringContaining('it has no account') })
    await expect(signIn(server, email)).rejects.toThrow('ADDRESS_BLOCKED')
    expect((await server.rows('users')).some((row) => row['email'] === email)).toBe(false)
  })

  test('of a block and a sign-in at once, none leaves a session that lives', async () => {
    for (let round = 0; round < 5; round += 1) {
      const player = await signIn(server, newEmail('race'))
      const [entered] = await Promise.allSettled([signIn(server, player.email), tool('block', player.email)])
      const token = entered.status === 'fulfilled' ? entered.value.accessToken : player.accessToken
      expect((await ask(server, 'GET', `user/${player.userId}`, { bearer: token })).status).toBe(401)
    }
  })

  test('export-person writes everything about one person and nothing of another, for its owner only', async () => {
    const coach = await coachWith(server, newEmail('coach'), 2)
    const [player, other] = [await signIn(server, newEmail('exported')), await signIn(server, newEmail('other'))]
    const { instanceId } = (await allocate(server, coach, player.email)).body
    await openBrief(server, player, instanceId)
    await save(server, player, instanceId)
    await complete(server, player, instanceId)
    await allocate(server, coach, other.email)
    const out = join(await newFolder(), 'person.json')
    expect(await tool('export-person', player.email, '--out', out)).toMatchObject({ exit: 0, out: '' })
    expect((await stat(out)).mode % 0o1000).toBe(0o600)
    const text = await readFile(out, 'utf8')
    const { data } = JSON.parse(text) as { data: Record<string, Record<string, unknown>[]> } // written above
    expect(data['account']).toMatchObject([{ id: player.userId, email: player.email }])
    expect(data['assessments']).toMatchObject([{ id: instanceId, status: 'COMPLETED', results: expect.any(Object) }])
    for (const kind of ['sessions', 'signIns', 'answers', 'answerLog', 'mails', 'auditEntries']) expect(data[kind], kind).not.toEqual([])
    expect(text).not.toContain(other.email)
    expect(text).not.toContain(other.userId)
    const ofCoach = (await tool('export-person', coach.userId)).out
    expect(ofCoach).toContain(coach.email)
    // what the coach gave, and not to whom
    expect(ofCoach).toContain(instanceId)
    for (const theirs of [player.email, player.userId, other.email]) expect(ofCoach).not.toContain(theirs)
    expect(await acts()).toContain(`users.exportPerson ${player.userId}`)
    // a second time, nothing is written over, and nobody's data is asked for
    const before = (await acts()).length
    expect(await tool('export-person', player.email, '--out', out)).toMatchObject({
      exit: 1,
      err: expect.stringContaining('exists already'),
    })
    expect(await acts()).toHaveLength(before)
  })

  test.each([
    ['erase', '--yes'],
    ['export-person', ''],
    ['resend', '--json'],
    ['block', ''],
    ['unblock', ''],
  ])('%s of what is no address ends as a wrong command line', async (command, option) => {
    for (const person of ['nobody', '', 'a b@club.test'])
      expect([person, (await tool(command, person, ...(option === '' ? [] : [option]))).exit]).toEqual([person, 2])
  })

  test('a wrong key and a server that is not there are named', async () => {
    const wrong = await touchline(['erase', 'a@b.test', '--yes', '--server', server.address], { OPERATOR_KEY: 'x'.repeat(40) })
    expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining('does not accept this OPERATOR_KEY')])
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const down = await touchline(['erase', 'a@b.test', '--yes', '--server', nowhere], { OPERATOR_KEY: 'x'.repeat(40) })
    expect([down.exit, down.err]).toEqual([3, expect.stringContaining(`The server at ${nowhere} does not reply`)])
    const secure = server.address.replace('http:', 'https:')
    const plain = await touchline(['erase', 'a@b.test', '--yes', '--server', secure], { OPERATOR_KEY: 'x'.repeat(40) })
    expect([plain.exit, plain.err]).toEqual([3, expect.stringContaining('does not reply: that port speaks no TLS')])
  })

  test('the program itself runs, with its exit codes', async () => {
    const child = spawn('npx', ['--no-install', 'touchline', 'reopen', 'nobody@club.test', '--server', server.address], {
      env: { ...process.env, OPERATOR_KEY: server.deps.keys.operatorKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => (said += String(chunk)))
    const [code] = (await once(child, 'close')) as [number]
    expect([code, said]).toEqual([1, expect.stringContaining('No account has the address nobody@club.test')])
  }, 120_000)
})
