import { describe, expect, it, vi } from 'vitest'
import {
  matchesReply,
  operationOf,
  SendFailure,
  syncInstance,
  unsentOf,
  type AnswerRow,
  type DevicePort,
  type DeviceState,
  type NetworkPort,
  type OperationRow,
} from '#app/sync/sync.ts'
import { acknowledgementChange } from '#app/sync/rows.ts'
import { receiptOf } from '#contract/rules/receipt.ts'
import type { SaveBody, SaveReply } from '#contract/instances.ts'

const row = (questionId: string, edit: string, value: string | null = 'A'): AnswerRow => ({
  questionId,
  sectionName: 'Section2',
  value: { [questionId]: value },
  edit,
  base: 0,
})

/** The reply of a server that stored everything. */
function stored(body: string, completionStatus: SaveReply['completionStatus'] = 'IN_PROGRESS'): SaveReply {
  const { responses, operation } = JSON.parse(body) as SaveBody
  const groups = Object.fromEntries(responses.map(({ id, answer }) => [id, { [id]: answer }]))
  return {
    completionStatus,
    revision: 1,
    ...receiptOf(groups),
    groups: (operation?.groups ?? []).map(({ questionId }) => ({ questionId, revision: 1 })),
    superseded: [],
  }
}

/** A device with these answers, and a server that stores them unless `network` says otherwise. */
function phone(answers: AnswerRow[], network: Partial<NetworkPort<unknown>>, isOwner = () => true, pull = async () => {}) {
  const state: DeviceState = { contentVersion: 'v1', revision: 0, answers, receipts: [], operation: undefined, finish: null, trouble: null }
  const sent: string[] = []
  const device: DevicePort<unknown> = {
    load: async () => structuredClone(state),
    storeOperation: async (operation) => void (state.operation = operation),
    removeOperation: async () => void (state.operation = undefined),
    acknowledge: async (acknowledgement) => {
      const change = acknowledgementChange({ ...state, late: [] }, acknowledgement, () => 'new-edit')
      state.receipts = [
        ...state.receipts.filter((one) => !change.receipts.some((put) => put.questionId === one.questionId)),
        ...change.receipts,
      ]
      state.operation = undefined
      state.revision = acknowledgement.revision
    },
    setFinish: async (step) => void (state.finish = step),
    setTrouble: async (trouble) => void (state.trouble = trouble),
    complete: async () => void (state.finish = null),
  }
  let id = 0
  const sync = () =>
    syncInstance({
      device,
      network: {
        complete: async () => {},
        results: async () => ({}),
        ...network,
        save: async (body) => {
          sent.push(body)
          return (network.save ?? (async (bytes) => stored(bytes)))(body)
        },
      },
      pull,
      isOwner,
      randomId: () => `operation-${(id += 1)}`,
      now: () => 7,
      instanceId: 'i',
      deviceId: 'd',
    })
  return { state, sent, sync }
}

describe('sending what the server has not acknowledged', () => {
  it('a retry after a lost reply sends the same bytes under the same id (ANSWERS-5)', async () => {
    let lost = true
    const { sent, sync, state } = phone([row('p1', 'e1')], {
      save: async (body) => {
        if (!lost) return stored(body)
        lost = false
        throw new SendFailure('unreachable', 'TIMEOUT_ERROR')
      },
    })
    expect(await sync()).toBe('waiting')
    // edited meanwhile: the stored operation still carries the old bytes, the new edit is sent after it
    state.answers = [row('p1', 'e2', 'B')]
    expect(await sync()).toBe('clean')
    expect(sent).toHaveLength(3)
    expect(sent[1]).toBe(sent[0])
    expect(JSON.parse(sent[2] ?? '').responses).toEqual([{ sectionName: 'Section2', id: 'p1', answer: 'B' }])
    expect(JSON.parse(sent[2] ?? '').operation.id).not.toBe(JSON.parse(sent[0] ?? '').operation.id)
  })

  it('a cleared answer is sent as an explicit null (ANSWERS-2)', async () => {
    const { sent, sync } = phone([row('p1', 'e1', null)], {})
    await sync()
    expect(JSON.parse(sent[0] ?? '').responses).toEqual([{ sectionName: 'Section2', id: 'p1', answer: null }])
  })

  it('if the receipt does not match, nothing counts as saved: the rows are sent again, then parked', async () => {
    const { state, sent, sync } = phone([row('p1', 'e1'), row('p2', 'e2')], { save: async (body) => ({ ...stored(body), count: 1 }) })
    expect(await sync()).toBe('parked')
    expect(sent).toHaveLength(3)
    expect(state.trouble).toEqual({ code: 'RECEIPT_MISMATCH', at: 7 })
    expect(unsentOf(state)).toHaveLength(2)
  })

  it.each(['INVALID_ANSWER', 'FORBIDDEN', 'NOT_FOUND', 'ALREADY_COMPLETED', 'INSTANCE_RECLAIMED', 'TOO_LARGE', 'CONTENT_VERSION_MISMATCH'])(
    'refused with %s: parked with its reason, no answer lost (ANSWERS-7)',
    async (code) => {
      const { state, sync } = phone([row('p1', 'e1')], { save: () => Promise.reject(new SendFailure('refused', code)) })
      expect(await sync()).toBe('parked')
      expect(state.trouble?.code).toBe(code)
      expect(unsentOf(state)).toHaveLength(1)
      expect(await sync()).toBe('parked')
    },
  )

  /** A device with 32 answers, of which the server refuses some. */
  function refusing(isRefused: (questionId: string) => boolean) {
    const rows = Array.from({ length: 32 }, (_, at) => row(`p${at}`, `e${at}`))
    const one = phone(rows, {
      save: async (body) => {
        const groups = (JSON.parse(body) as SaveBody).operation?.groups ?? []
        if (groups.some(({ questionId }) => isRefused(questionId))) throw new SendFailure('refused', 'INVALID_ANSWER')
        return stored(body)
      },
    })
    return { ...one, waiting: () => unsentOf(one.state).map(({ questionId }) => questionId) }
  }

  it('one refused answer is parked with its reason, all others arrive, and it is sent again once it is changed', async () => {
    const { state, sent, sync, waiting } = refusing((questionId) => questionId === 'p19' && state.answers[19]?.edit === 'e19')
    expect(await sync()).toBe('parked')
    expect(waiting()).toEqual(['p19'])
    expect(state.trouble).toEqual({ code: 'INVALID_ANSWER', at: 7, edits: ['e19'] })
    expect(sent.length).toBeLessThan(20)
    const before = sent.length
    expect(await sync()).toBe('parked')
    expect(sent).toHaveLength(before)
    state.answers[19] = row('p19', 'anew', 'B')
    expect(await sync()).toBe('clean')
    expect([waiting(), state.trouble]).toEqual([[], null])
  })

  it('a server that refuses every answer gets little more than one call for each', async () => {
    const { state, sent, sync, waiting } = refusing(() => true)
    expect(await sync()).toBe('parked')
    expect(waiting()).toHaveLength(32)
    expect(state.trouble?.edits).toHaveLength(32)
    expect(sent.length).toBeLessThan(40)
  })

  it('Submit waits while an answer is parked', async () => {
    const { state, sync } = refusing((questionId) => questionId === 'p3')
    state.finish = 'save'
    expect(await sync()).toBe('parked')
    expect(state.finish).toBe('save')
  })

  it.each([
    ['with the revision that the device had already', 4],
    ['with a lower revision', 2],
    ['that skips revisions', 9],
  ])('a reply %s counts only after the account was read again (ANSWERS-17)', async (_, revision) => {
    const waitingAtPull: number[] = []
    const { state, sync } = phone([row('p1', 'e1')], { save: async (body) => ({ ...stored(body), revision }) }, undefined, async () => {
      waitingAtPull.push(unsentOf(state).length)
    })
    state.revision = 4
    expect(await sync()).toBe('clean')
    expect([waitingAtPull, state.revision, unsentOf(state)]).toEqual([[1], revision, []])
  })

  it('a reply with the next revision counts without reading the account', async () => {
    const pull = vi.fn(async () => {})
    const { state, sync } = phone([row('p1', 'e1')], { save: async (body) => ({ ...stored(body), revision: 5 }) }, undefined, pull)
    state.revision = 4
    expect(await sync()).toBe('clean')
    expect(pull).not.toHaveBeenCalled()
    expect(unsentOf(state)).toEqual([])
  })

  it('while the account cannot be read after such a reply, nothing counts as saved and the same bytes are sent again', async () => {
    let isCut = true
    const { state, sent, sync } = phone([row('p1', 'e1')], { save: async (body) => ({ ...stored(body), revision: 9 }) }, undefined, () =>
      isCut ? Promise.reject(new SendFailure('unreachable', 'FETCH_ERROR')) : Promise.resolve(),
    )
    expect(await sync()).toBe('waiting')
    expect(unsentOf(state)).toHaveLength(1)
    isCut = false
    expect(await sync()).toBe('clean')
    expect(sent[1]).toBe(sent[0])
  })

  it('an operation id that was used for other content is replaced by a new one', async () => {
    let first = true
    const { sent, sync } = phone([row('p1', 'e1')], {
      save: async (body) => {
        if (!first) return stored(body)
        first = false
        throw new SendFailure('refused', 'OPERATION_MISMATCH')
      },
    })
    expect(await sync()).toBe('clean')
    expect(JSON.parse(sent[1] ?? '').operation.id).toBe('operation-2')
  })

  it('while somebody else is signed in, nothing is sent or parked', async () => {
    const { sent, state, sync } = phone([row('p1', 'e1')], {}, () => false)
    expect(await sync()).toBe('waiting')
    expect(sent).toEqual([])
    expect(state.trouble).toBeNull()
  })

  it('a refusal does not count when somebody else signed in during the call', async () => {
    let owner = true
    const { state, sync } = phone(
      [row('p1', 'e1')],
      {
        save: async () => {
          owner = false
          throw new SendFailure('refused', 'NOT_FOUND')
        },
      },
      () => owner,
    )
    expect(await sync()).toBe('waiting')
    expect(state.trouble).toBeNull()
  })

  it('a Submit that waits for the details sends the answers and completes nothing (QUESTIONS-19)', async () => {
    let completed = 0
    const { state, sent, sync } = phone([row('p1', 'e1')], { complete: async () => void (completed += 1) })
    state.finish = 'details'
    expect(await sync()).toBe('clean')
    expect([sent.length, completed, state.finish]).toEqual([1, 0, 'details'])
    state.finish = 'save'
    expect(await sync()).toBe('clean')
    expect([completed, state.finish]).toEqual([1, null])
  })

  it('NOT_COMPLETE ends Submit without trouble, so that the questions can be answered again', async () => {
    const { state, sync } = phone([], { complete: () => Promise.reject(new SendFailure('refused', 'NOT_COMPLETE')) })
    state.finish = 'save'
    expect(await sync()).toBe('clean')
    expect(state.finish).toBeNull()
    expect(state.trouble).toBeNull()
  })

  it('Submit is parked after three tries with a server that loses the answers each time', async () => {
    let completions = 0
    const { state, sync } = phone(
      [row('p1', 'e1')],
      {
        complete: () => {
          completions += 1
          if (completions > 20) throw new Error('asked for ever')
          return Promise.reject(new SendFailure('refused', 'NOT_COMPLETE'))
        },
      },
      () => true,
      async () => void (state.receipts = []),
    )
    state.finish = 'save'
    expect(await sync()).toBe('parked')
    expect(state.trouble).toEqual({ code: 'NOT_COMPLETE', at: 7 })
    expect(completions).toBe(3)
  })
})

describe('the receipt', () => {
  const operation: OperationRow = operationOf([row('p1', 'e1'), row('p2', 'e2')], {
    id: 'o',
    instanceId: 'i',
    deviceId: 'd',
    contentVersion: 'v1',
  })
  it('matches what was sent, without what another device displaced', () => {
    const kept = receiptOf({ p1: { p1: 'A' } })
    const reply: SaveReply = {
      completionStatus: 'IN_PROGRESS',
      revision: 2,
      ...kept,
      groups: [{ questionId: 'p1', revision: 1 }],
      superseded: [{ questionId: 'p2', revision: 4, value: { p2: 'B' } }],
    }
    expect(matchesReply(operation, reply)).toBe(true)
    expect(matchesReply(operation, { ...reply, superseded: [] })).toBe(false)
  })
})
