import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import type { AssignLine } from '#app/device/assign-draft.ts'
import { codeFor } from '#app/api/message-for.ts'
import { sendList } from '#app/screens/tokens/assign/assign-many-run.ts'

/** Sending a list again is harmless, whatever the connection does (PRODUCT-6, ASSIGN-13). */

const refusal = (status: number, code: string) => new ApiError({ kind: 'HTTP', status, data: { code, message: code, requestId: '' } })

/** The API as the contract has it: each operation once, each player once, a token for each. */
function server({ tokens, coaches = [] as string[] }: { tokens: number; coaches?: string[] }) {
  const done = new Map<string, string>()
  const allocate = (account: string, operationId: string) => {
    const before = done.get(operationId)
    if (before !== undefined) {
      if (before !== account) throw refusal(409, 'OPERATION_MISMATCH')
      return
    }
    if (coaches.includes(account)) throw refusal(409, 'COACH_ALLOCATION_NOT_ALLOWED')
    if ([...done.values()].includes(account)) throw refusal(409, 'ALREADY_ALLOCATED')
    if (done.size >= tokens) throw refusal(409, 'NO_TOKENS_AVAILABLE')
    done.set(operationId, account)
  }
  return { allocate, given: () => [...done.values()] }
}

/** A device that stores each line. */
function device() {
  const lines: Record<string, AssignLine> = {}
  let made = 0
  return {
    lines,
    ports: {
      store: (key: string, line: AssignLine) => {
        lines[key] = line
        return Promise.resolve()
      },
      mayContinue: () => true,
      randomId: () => `operation ${(made += 1)}`,
      now: () => 0,
    },
  }
}

const outcomes = (lines: Record<string, AssignLine>) =>
  Object.fromEntries(Object.entries(lines).map(([key, { outcome, code }]) => [key.replace('a1 ', ''), code ?? outcome]))

describe('sending a list', () => {
  it('gives each line its own outcome', async () => {
    const { allocate, given } = server({ tokens: 5, coaches: ['coach@club.test'] })
    const { lines, ports } = device()
    allocate('ben@club.test', 'earlier')
    const list = ['ana@club.test', 'coach@club.test', 'ben@club.test', 'cy@club.test']
    await sendList('a1', list, lines, { ...ports, allocate: async (...one) => allocate(...one) })
    expect(outcomes(lines)).toEqual({
      'ana@club.test': 'sent',
      'coach@club.test': 'COACH_ALLOCATION_NOT_ALLOWED',
      'ben@club.test': 'ALREADY_ALLOCATED',
      'cy@club.test': 'sent',
    })
    expect(lines['a1 coach@club.test']?.outcome).toBe('refused')
    expect(given()).toEqual(['ben@club.test', 'ana@club.test', 'cy@club.test'])
  })

  it('a line that was sent before, and not taken back, stays sent', async () => {
    const { allocate } = server({ tokens: 5 })
    const { ports } = device()
    allocate('ana@club.test', 'first')
    const known: Record<string, AssignLine> = { 'a1 ana@club.test': { operationId: 'first', outcome: 'sent', at: 0, readAt: 1 } }
    const stored: AssignLine[] = []
    const store = async (_key: string, line: AssignLine) => void stored.push(line)
    await sendList('a1', ['ana@club.test'], known, { ...ports, now: () => 2, store, allocate: async (...one) => allocate(...one) })
    expect(stored.at(-1)).toEqual({ operationId: 'first', outcome: 'sent', at: 2 })
  })

  it('gives each player exactly one in the end, despite lost requests, lost replies and tabs that die', async () => {
    const trouble = fc.constantFrom('none', 'none', 'request lost', 'reply lost', 'broken', 'tab dies')
    await fc.assert(
      fc.asyncProperty(fc.array(trouble, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), async (troubles, count) => {
        const { allocate, given } = server({ tokens: 100 })
        const { lines, ports } = device()
        const list = Array.from({ length: count }, (_, at) => `player${at}@club.test`)
        for (let round = 0; round <= 60 && given().length < count; round += 1) {
          let isAlive = true
          const isOpen = (account: string) => lines[`a1 ${account}`]?.outcome !== 'sent'
          await sendList(
            'a1',
            list.filter(isOpen),
            { ...lines },
            {
              ...ports,
              mayContinue: () => isAlive,
              store: (key, line) => (isAlive ? ports.store(key, line) : Promise.resolve()),
              allocate: async (...one) => {
                const now = troubles.shift()
                if (now === 'request lost') throw new ApiError({ kind: 'FETCH_ERROR' })
                if (now === 'broken') throw refusal(500, 'INTERNAL')
                allocate(...one)
                if (now === 'tab dies') isAlive = false
                if (now === 'reply lost') throw new ApiError({ kind: 'TIMEOUT_ERROR' })
              },
            },
          )
        }
        expect(given().toSorted()).toEqual(list.toSorted())
        // once more without trouble: lines whose reply was lost turn out to be sent
        const open = list.filter((account) => lines[`a1 ${account}`]?.outcome !== 'sent')
        await sendList('a1', open, { ...lines }, { ...ports, allocate: async (...one) => allocate(...one) })
        expect(given()).toHaveLength(count)
        expect(Object.values(lines).every(({ outcome }) => outcome === 'sent')).toBe(true)
      }),
    )
  })

  it.each([
    ['no token is left', refusal(409, 'NO_TOKENS_AVAILABLE'), 'failed'],
    ['there is no reply', new ApiError({ kind: 'FETCH_ERROR' }), 'unknown'],
    ['a proxy replies', new ApiError({ kind: 'HTTP', status: 503, data: 'Bad gateway' }), 'unknown'],
    ['a proxy fails', new ApiError({ kind: 'HTTP', status: 502, data: 'Bad gateway' }), 'unknown'],
    ['the server gives up a call that it may finish', refusal(503, 'UNAVAILABLE'), 'unknown'],
    ['a limit is reached', refusal(429, 'TOO_MANY_REQUESTS'), 'failed'],
    ['the coach is signed out', refusal(401, 'INVALID_TOKEN'), 'failed'],
  ])(
    'stops when %s, and says that it was cut short: running calls get their outcome, the other lines stay unchanged',
    async (_, error, wanted) => {
      const { lines, ports } = device()
      const allocate = vi.fn(() => Promise.reject(error))
      const { isCutShort } = await sendList(
        'a1',
        Array.from({ length: 30 }, (_, at) => `player${at}@club.test`),
        lines,
        { ...ports, allocate },
      )
      expect(allocate.mock.calls.length).toBeLessThanOrEqual(3)
      expect(isCutShort).toBe(true)
      expect(Object.values(lines).every(({ outcome }) => outcome === wanted)).toBe(true)
    },
  )

  it('is not cut short by a failure after the coach stopped it', async () => {
    const { lines, ports } = device()
    let isStopped = false
    const allocate = () => {
      isStopped = true
      return Promise.reject(refusal(429, 'TOO_MANY_REQUESTS'))
    }
    const list = Array.from({ length: 30 }, (_, at) => `player${at}@club.test`)
    const { isCutShort } = await sendList('a1', list, lines, { ...ports, mayContinue: () => !isStopped, allocate })
    expect(Object.keys(lines)).toHaveLength(3)
    expect(isCutShort).toBe(false)
  })

  it.each([401, 403, 404])(
    'continues after a line that a filter refuses with %i, which says that it was not the server',
    async (status) => {
      const { allocate } = server({ tokens: 5 })
      const { lines, ports } = device()
      const blocked = new ApiError({ kind: 'HTTP', status, data: '<h1>Blocked</h1>' })
      const list = ['bad@club.test', 'ana@club.test', 'ben@club.test', 'cy@club.test', 'di@club.test']
      const { isCutShort } = await sendList('a1', list, lines, {
        ...ports,
        allocate: (account, id) => (account === 'bad@club.test' ? Promise.reject(blocked) : Promise.resolve(allocate(account, id))),
      })
      expect(isCutShort).toBe(false)
      expect(lines['a1 bad@club.test']).toMatchObject({ outcome: 'failed', code: 'PARSING_ERROR' })
      expect(list.slice(1).map((account) => lines[`a1 ${account}`]?.outcome)).toEqual(['sent', 'sent', 'sent', 'sent'])
    },
  )

  it('continues after an address with too many mails, whose line stores when it may be sent again', async () => {
    const { allocate } = server({ tokens: 5 })
    const { lines, ports } = device()
    const enough = new ApiError({
      kind: 'HTTP',
      status: 429,
      data: { code: 'ADDRESS_LIMIT', message: '', requestId: '' },
      retryAfterSeconds: 3600,
    })
    const list = ['full@club.test', 'ana@club.test', 'ben@club.test', 'cy@club.test', 'di@club.test']
    const before = Date.now()
    await sendList('a1', list, lines, {
      ...ports,
      allocate: (account, id) => (account === 'full@club.test' ? Promise.reject(enough) : Promise.resolve(allocate(account, id))),
    })
    expect(Object.values(outcomes(lines)).toSorted()).toEqual(['ADDRESS_LIMIT', 'sent', 'sent', 'sent', 'sent'])
    expect(lines['a1 full@club.test']?.until).toBeGreaterThanOrEqual(before + 3_600_000)
  })

  it('continues after a line that fails', async () => {
    const { lines, ports } = device()
    await sendList('a1', ['a@b.fr', 'c@d.fr', 'e@f.fr', 'g@h.fr', 'i@j.fr'], lines, {
      ...ports,
      allocate: (account) => (account === 'a@b.fr' ? Promise.reject(refusal(500, 'INTERNAL')) : Promise.resolve()),
    })
    expect(lines['a1 a@b.fr']).toMatchObject({ outcome: 'unknown', code: 'INTERNAL' })
    expect(Object.values(outcomes(lines))).toEqual(['INTERNAL', 'sent', 'sent', 'sent', 'sent'])
  })

  it('reuses the operation id of a line without a reply, but not of one that was sent before', async () => {
    const { lines, ports } = device()
    const allocate = vi.fn(() => Promise.resolve())
    const known = {
      'a1 a@b.fr': { operationId: 'lost', outcome: 'unknown', at: 0 },
      'a1 c@d.fr': { operationId: 'spent', outcome: 'sent', at: 0 },
    } as const
    await sendList('a1', ['a@b.fr', 'c@d.fr'], known, { ...ports, allocate })
    expect(allocate.mock.calls).toEqual([
      ['a@b.fr', 'lost'],
      ['c@d.fr', 'operation 1'],
    ])
    expect(outcomes(lines)).toEqual({ 'a@b.fr': 'sent', 'c@d.fr': 'sent' })
  })

  it.each([
    ['a proxy', new ApiError({ kind: 'HTTP', status: 403, data: 'Forbidden' }), 'unknown'],
    ['a limit', refusal(429, 'TOO_MANY_REQUESTS'), 'unknown'],
    ['the server, as it has no token', refusal(409, 'NO_TOKENS_AVAILABLE'), 'failed'],
    ['the server, for a limit of the account', refusal(429, 'ALLOCATION_LIMIT'), 'failed'],
    ['the server, for a limit of the address', refusal(429, 'ADDRESS_LIMIT'), 'failed'],
  ])('a line without a reply whose retry %s refuses', async (_, error, outcome) => {
    const { lines, ports } = device()
    const known = { 'a1 a@b.fr': { operationId: 'lost', outcome: 'unknown', code: 'HTTP', at: 0 } } as const
    await sendList('a1', ['a@b.fr'], known, { ...ports, allocate: () => Promise.reject(error) })
    expect(lines['a1 a@b.fr']).toMatchObject({ operationId: 'lost', outcome })
    // why the last attempt failed, not the earlier one
    expect(lines['a1 a@b.fr']?.code).toBe(codeFor(error))
  })

  it('stores the operation id of each line before its call', async () => {
    const { lines, ports } = device()
    const allocate = vi.fn((account: string, operationId: string) => {
      expect(lines[`a1 ${account}`]).toEqual({ operationId, outcome: 'unknown', at: 0 })
      return Promise.resolve()
    })
    await sendList('a1', ['a@b.fr', 'c@d.fr'], lines, { ...ports, allocate })
    expect(allocate).toHaveBeenCalledTimes(2)
  })
})
