import dns from 'node:dns'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkMail } from '#operator/doctor/mail.ts'
import { checkSmtp, MailError, smtpMail, type Message } from '#server/outside/mail.ts'
import { startMailbox } from '#sandbox/mailbox/mailbox.ts'
import { movableClock } from '#tests/support/person.ts'
import { temporaryFolder } from '#tests/sandbox/support.ts'

const FROM = 'Touchline <no-reply@touchline.test>'
const MESSAGE: Message = { to: 'zoé@example.test', subject: 'Votre code Touchline', text: 'Bonjour Zoé', language: 'fr' }

async function start(dataDir?: string) {
  const clock = movableClock(new Date('2026-11-20T12:00:00Z'))
  const folder = dataDir ?? (await temporaryFolder())
  const mailbox = await startMailbox({ dataDir: folder, clock })
  const mail = smtpMail({ url: mailbox.smtpUrl, from: FROM })
  onTestFinished(async () => {
    // the mailbox closes only once every connection has ended
    mail.close()
    await mailbox.close()
  })
  return { folder, clock, mailbox, mail }
}

/** A mail server whose reply to the first command never ends; how many connections it has. */
async function endlessReply(): Promise<{ url: string; open: () => number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const more = setInterval(() => socket.write('250-more\r\n'), 20)
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(more)
        sockets.delete(socket)
      })
    socket.write('220 here\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => sockets.size }
}

// other systems have only 127.0.0.1, and without a network the library keeps no addresses
const isOnNetwork = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ family, internal }) => family === 'IPv4' && !internal),
)
describe.runIf(process.platform === 'linux' && isOnNetwork)('after a message that failed, the name of the mail server', () => {
  /** In place of the system's, for names that end in .test. Without an address it fails. */
  function resolver() {
    const state: { address: string | undefined; hangs: boolean } = { address: '127.0.0.1', hangs: false }
    const answer = (reply: () => void) => {
      if (!state.hangs) setImmediate(reply)
    }
    const failure = () => Object.assign(new Error('queryA ESERVFAIL'), { code: dns.SERVFAIL })
    const resolve4 = (_name: string, done: (error: Error | null, addresses?: string[]) => void) =>
      answer(() => (state.address === undefined ? done(failure()) : done(null, [state.address])))
    const resolve6 = (_name: string, done: (error: Error | null, addresses?: string[]) => void) => answer(() => done(failure()))
    const lookup = dns.lookup
    const lookupKnown = (name: string, options: dns.LookupAllOptions, done: (error: Error | null, found?: dns.LookupAddress[]) => void) => {
      // of a server that begins to listen
      if (!name.endsWith('.test')) return lookup(name, options, done as never)
      return answer(() => (state.address === undefined ? done(failure()) : done(null, [{ address: state.address, family: 4 }])))
    }
    vi.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation(resolve4 as typeof dns.Resolver.prototype.resolve4)
    vi.spyOn(dns.Resolver.prototype, 'resolve6').mockImplementation(resolve6 as typeof dns.Resolver.prototype.resolve6)
    vi.spyOn(dns, 'lookup').mockImplementation(lookupKnown as typeof dns.lookup)
    onTestFinished(() => void vi.restoreAllMocks())
    return state
  }

  /** A mail server at an address of this machine; the addresses whose mail it has accepted. */
  async function serverAt(address: string, port = 0) {
    const accepted: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 1,
      onData(stream, session, callback) {
        stream.resume().on('end', () => {
          accepted.push(session.envelope.rcptTo[0]?.address ?? '')
          callback()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(port, address, resolve))
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
    onTestFinished(close)
    return { port: (server.server.address() as AddressInfo).port, accepted, close }
  }

  function mailAt(name: string, port: number) {
    const mail = smtpMail({ url: `smtp://${name}:${port}`, from: FROM })
    onTestFinished(() => mail.close())
    return (to: string) => mail.send({ ...MESSAGE, to })
  }

  it('is looked up again: it may have moved', async () => {
    const known = resolver()
    const first = await serverAt('127.0.0.1')
    const second = await serverAt('127.0.0.2', first.port)
    const send = mailAt('moving.test', first.port)
    await send('a@example.test')
    await first.close()
    known.address = '127.0.0.2'
    await expect(send('b@example.test')).rejects.toBeInstanceOf(MailError)
    await send('c@example.test')
    expect([first.accepted, second.accepted]).toEqual([['a@example.test'], ['c@example.test']])
  })

  it.each([
    ['that fails', 'failing.test', false],
    ['that is never answered', 'hanging.test', true],
  ])(
    'has its last address if it is looked up again and %s',
    async (_how, name, hangs) => {
      const known = resolver()
      const first = await serverAt('127.0.0.1')
      const send = mailAt(name, first.port)
      await send('a@example.test')
      await first.close()
      await expect(send('b@example.test')).rejects.toBeInstanceOf(MailError)
      known.address = undefined
      known.hangs = hangs
      const restarted = await serverAt('127.0.0.1', first.port)
      await send('c@example.test')
      expect(restarted.accepted).toEqual(['c@example.test'])
    },
    20_000,
  )
})

describe('a check of a mail server whose reply never ends', () => {
  it('ends after its timeout and closes its connection', async () => {
    const { url, open } = await endlessReply()
    await expect(checkSmtp(url, 300)).rejects.toThrow('does not come to an end')
    await expect.poll(open).toBe(0)
  })

  it('is reported by doctor', async () => {
    const { url, open } = await endlessReply()
    expect(await checkMail(url, false, 300)).toEqual([
      { level: 'error', setting: 'SMTP_URL', message: expect.stringContaining('does not come to an end') },
    ])
    await expect.poll(open).toBe(0)
  })
})

/** A mail server that replies to one command of each message with this. */
async function refusing(command: 'MAIL FROM' | 'RCPT TO' | 'DATA', responseCode: number, text: string): Promise<string> {
  const reply = (at: typeof command, callback: (error?: Error) => void) =>
    at === command ? callback(Object.assign(new Error(text), { responseCode })) : callback()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom: (_address, _session, callback) => reply('MAIL FROM', callback),
    onRcptTo: (_address, _session, callback) => reply('RCPT TO', callback),
    onData: (stream, _session, callback) => stream.resume().on('end', () => reply('DATA', callback)),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

describe('a refusal by the mail server', () => {
  it.each([
    ['RCPT TO', 550, 'no such user', true],
    ['RCPT TO', 550, '5.1.1 no such user', true],
    ['RCPT TO', 552, '5.2.2 mailbox full', true],
    ['RCPT TO', 451, '4.7.1 greylisted', false],
    ['RCPT TO', 554, '5.7.1 relay access denied', false],
    ['RCPT TO', 550, '5.1.8 bad sender', false],
    ['RCPT TO', 550, 'relay not permitted', false],
    ['RCPT TO', 550, 'Sender verify failed', false],
    ['RCPT TO', 550, 'Administrative prohibition', false],
    ['RCPT TO', 550, 'Unrouteable address', true],
    ['RCPT TO', 550, '<sender@relay.test> unknown user', true],
    ['RCPT TO', 550, '5.4.1 Recipient address rejected: Access denied', true],
    ['MAIL FROM', 550, '5.1.8 bad sender', false],
    ['DATA', 554, '5.7.1 not accepted', false],
  ] as const)('of %s with %i %s is of the address: %s', async (command, code, text, isRefused) => {
    const mail = smtpMail({ url: await refusing(command, code, text), from: FROM })
    onTestFinished(() => mail.close())
    const failure = await mail.send(MESSAGE).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MailError)
    expect(failure).toMatchObject({ responseCode: code, isRefused })
    expect(mail.isUp()).toBe(isRefused)
    // it lets us in all the same
    if (isRefused) await mail.check()
    else await expect(mail.check()).rejects.toThrow('did not take the last message')
  })
})

describe('a mail server that takes its time', () => {
  /** It is silent for so long at this command. */
  async function slow(command: 'RCPT TO' | 'DATA', silentMs: number) {
    const accepted: number[] = []
    const wait = (at: typeof command) => (at === command ? delay(silentMs) : Promise.resolve())
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onRcptTo: (_address, _session, callback) => void wait('RCPT TO').then(() => callback()),
      onData: (stream, _session, callback) =>
        stream.resume().on('end', () => {
          accepted.push(performance.now())
          void wait('DATA').then(() => callback())
        }),
    })
    // of a client that has hung up
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    const mail = smtpMail({ url, from: FROM, timeouts: { replyMs: 300, sentMs: 600, acceptedMs: 5000 } })
    onTestFinished(async () => {
      mail.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
    return { mail, accepted }
  }

  it('to accept what it has: that is not waited for, and not taken for a failure of the server', async () => {
    const { mail, accepted } = await slow('DATA', 1500)
    await expect(mail.send(MESSAGE)).rejects.toMatchObject({ isUnanswered: true, code: 'ETIMEDOUT', isRefused: false })
    expect(mail.isUp()).toBe(true)
    // nor is it well: a code that comes late is of little use
    await expect(mail.check()).rejects.toThrow('did not take the last message')
    // nor tried again on another connection, which would come before the next message
    await expect(mail.send(MESSAGE)).rejects.toMatchObject({ isUnanswered: true })
    expect(accepted).toHaveLength(2)
  })

  it('to accept a mail that may take long: it is accepted once', async () => {
    const { mail, accepted } = await slow('DATA', 1500)
    await mail.send({ ...MESSAGE, mayTakeLong: true })
    expect(accepted).toHaveLength(1)
  })

  it.each([false, true])('before it has the message: it has failed, also one that may take long: %s', async (mayTakeLong) => {
    const { mail, accepted } = await slow('RCPT TO', 1500)
    await expect(mail.send({ ...MESSAGE, mayTakeLong })).rejects.toMatchObject({ isUnanswered: false, code: 'ETIMEDOUT' })
    expect([mail.isUp(), accepted]).toEqual([false, []])
  })

  it('and hangs up after all of it was sent: that is no acceptance, and it may arrive', async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onData: (stream) => stream.resume().on('end', () => server.connections.forEach((one) => one.close())),
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const mail = smtpMail({ url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, from: FROM })
    onTestFinished(() => mail.close())
    for (const mayTakeLong of [false, true])
      await expect(mail.send({ ...MESSAGE, mayTakeLong })).rejects.toMatchObject({ isUnanswered: true })
    expect(mail.isUp()).toBe(false)
  })
})

describe('a mail', () => {
  it('arrives as written, with accents', async () => {
    const { mail, mailbox } = await start()
    const text = 'Élève, voici votre code à usage unique : 01234567\n\nÀ bientôt — l’équipe « Touchline » œuvre ☂'
    await mail.send({
      ...MESSAGE,
      to: 'player@demo.test',
      subject: 'Été : votre code à 8 chiffres, prêt à être utilisé dès maintenant',
      text,
    })
    expect(mailbox.list('Player@Demo.test')).toEqual([
      {
        to: 'player@demo.test',
        subject: 'Été : votre code à 8 chiffres, prêt à être utilisé dès maintenant',
        text,
        at: '2026-11-20T12:00:00.000Z',
      },
    ])
  })

  it('with HTML has its plain text as well', async () => {
    const { mail, mailbox } = await start()
    await mail.send({ ...MESSAGE, to: 'a@b.test', text: 'plain', html: '<p>rich</p>' })
    expect(mailbox.list('a@b.test')[0]?.text).toBe('plain')
  })

  it('is still in the mailbox after a restart of the mailbox', async () => {
    const first = await start()
    await first.mail.send({ ...MESSAGE, to: 'a@b.test', subject: 'One' })
    first.mail.close()
    await first.mailbox.close()
    const second = await start(first.folder)
    await second.mail.send({ ...MESSAGE, to: 'a@b.test', subject: 'Two' })
    expect(second.mailbox.list().map(({ subject }) => subject)).toEqual(['Two', 'One'])
  })

  it.each([
    'a@b.test\r\nBcc: victim@b.test',
    'a@b.test, victim@b.test',
    'a@b.test;victim@b.test',
    '"x" <victim@b.test>',
    'victim@b.test a@b.test',
    'a@@b.test',
    '',
  ])('is not sent to %j, which is not exactly one address', async (to) => {
    const { mail, mailbox } = await start()
    await expect(mail.send({ ...MESSAGE, to })).rejects.toThrow(TypeError)
    expect(mailbox.list()).toEqual([])
  })

  it('cannot get another header or recipient through its subject or text', async () => {
    const { mail, mailbox } = await start()
    await expect(mail.send({ ...MESSAGE, to: 'a@b.test', subject: 'Hi\r\nBcc: victim@b.test' })).rejects.toThrow(TypeError)
    await mail.send({ ...MESSAGE, to: 'a@b.test', text: 'one\r\n.\r\nMAIL FROM:<x@y.test>\r\ntwo' })
    expect(mailbox.list()).toHaveLength(1)
    expect(mailbox.list()[0]?.text.split(/\r?\n/)).toEqual(['one', '.', 'MAIL FROM:<x@y.test>', 'two'])
  })
})

describe('a mail that may bounce', () => {
  /** What is said to a mail server beside the mail itself. */
  async function envelopeOf(message: Partial<Message>, bounceAddress?: string) {
    const seen: SMTPServerEnvelope[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      hideDSN: false,
      onData(stream, { envelope }, callback) {
        seen.push(envelope)
        stream.resume().on('end', () => callback())
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const mail = smtpMail({ url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, from: FROM, bounceAddress })
    onTestFinished(async () => {
      mail.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
    await mail.send({ ...MESSAGE, to: 'a@b.test', ...message })
    const [envelope] = seen
    const from = envelope && envelope.mailFrom !== false ? envelope.mailFrom.address : undefined
    return { from, to: envelope?.rcptTo.map(({ address }) => address), reporting: envelope as unknown }
  }

  it('bounces to the address in the settings, else to the sender', async () => {
    expect(await envelopeOf({}, 'bounces@portal.test')).toMatchObject({ from: 'bounces@portal.test', to: ['a@b.test'] })
    expect(await envelopeOf({})).toMatchObject({ from: 'no-reply@touchline.test', to: ['a@b.test'] })
  })

  it('bounces with its id and without its content, if the mail server supports that', async () => {
    const { reporting } = await envelopeOf({ id: 'abc-def' }, 'bounces@portal.test')
    expect(reporting).toMatchObject({ dsn: { ret: 'HDRS', envid: 'abc-def' } })
    expect(reporting).toMatchObject({ rcptTo: [{ dsn: { notify: ['FAILURE'] } }] })
  })
})

describe('a failed delivery', () => {
  it('is reported as refused if the address bounces', async () => {
    const { mail, mailbox } = await start()
    const refused = mail.send({ ...MESSAGE, to: 'bounces@demo.test' })
    await expect(refused).rejects.toMatchObject({ isRefused: true })
    await expect(refused).rejects.toBeInstanceOf(MailError)
    expect(mailbox.list()).toEqual([])
  })

  it('is reported as not refused if no server listens', async () => {
    const { mail, mailbox } = await start()
    await mailbox.close()
    await expect(mail.send({ ...MESSAGE, to: 'a@b.test' })).rejects.toMatchObject({ name: 'Error', isRefused: false })
  })

  it('is reported if the server hangs up', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const mail = smtpMail({ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, from: FROM })
    await expect(mail.send({ ...MESSAGE, to: 'a@b.test' })).rejects.toBeInstanceOf(MailError)
  })
})
