import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import type { EarlyStart, PartsOutcome } from '#app/early-start.ts'
import { readMark, retryRead, watchFailedReads } from '#app/api/retry-failed-reads.ts'
import { createNetwork } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { queryClient } from '#app/api/query-client.ts'
import { beginFiles } from '../../src/boot/files.ts'
import { SEND_RETRY_MS } from '#app/constants.ts'
import { PartNotFetched } from '#app/lost-part.ts'
import { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { questionnaireOf } from '#app/questionnaire/questionnaire.ts'
import { trackSend } from '#app/device/sending/api-network.ts'
import { startOutbox } from '#app/device/sending/outbox.ts'
import { startPreparing } from '#app/device/readiness/prepare.ts'
import { sendRowsToServer } from '#app/device/sending/send-rows-to-server.ts'
import { sendTrouble } from '#app/device/sending/send-trouble.ts'
import { eventOfError, nextPaymentReturn, startPaymentReturn } from '#app/screens/stripe/payment-return.ts'
import { createRefresh } from '#app/session/refresh.ts'
import { watchStillTooOld } from '#app/session/still-too-old.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { loadInBackground, loadWithRetry, reloadOnceFetched } from '#app/shell/reload-for-lost-parts.ts'
import type { SaveBody } from '#contract/instances.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** Everything that the portal retries automatically, during an hour in which the server fails: a club's phones must not keep it down. */

const HOUR_MS = 3_600_000
const CALLS_MAXIMUM = 130
/** The server's Retry-After in the second test, and the calls that fit into an hour of it. */
const RETRY_AFTER_SECONDS = 600
const CALLS_WHEN_ASKED_TO_WAIT = 7

type Ask = () => ApiError

/** How each call fails, and the instances on the device, each with one unsent answer. */
const server = vi.hoisted(() => ({ call: (): unknown => undefined }))
const device = vi.hoisted(() => ({ instances: [] as object[] }))
/** rejects while the part of the app that stores cannot be fetched */
const storePart = vi.hoisted(() => ({ load: undefined as (() => Promise<never>) | undefined }))

vi.mock('#app/device/sending/api-network.ts', async (original) => {
  const real = await original<{ trackSend: (answer: Promise<unknown>) => Promise<unknown> }>()
  return { ...real, apiNetwork: () => ({ save: () => real.trackSend(Promise.reject(server.call())) }) }
})
vi.mock('#app/session/session.ts', () => ({
  session: {
    get: () => ({ status: 'verified', user: { id: 'u1' }, userTypeCode: 'player' }),
    subscribe: () => () => undefined,
    missedSignOut: () => false,
  },
}))
vi.mock('#app/device/lazy-reads.ts', () => ({
  loadOwnReads: async () => ({ readOwn: () => Promise.reject(server.call()), storedProfiles: async () => [] }),
}))
vi.mock('#app/device/store/device-store.ts', async (original) => {
  const real = await original<typeof import('#app/device/store/device-store.ts')>()
  return {
    ...real,
    writeAnswer: async (...row: Parameters<typeof real.writeAnswer>) => (storePart.load ? undefined : real.writeAnswer(...row)),
    readQuestionnaire: async () => undefined,
    readRowsIfStored: async () => undefined,
    instancesOf: async () => device.instances,
    unstoredInstancesOf: async () => [],
    storedKeys: async () => [],
    savesDeviceId: async () => 'd1',
    readSyncState: async () => ({
      contentVersion: '1',
      revision: 0,
      answers: [{ questionId: 'q1', sectionName: 'Section1', value: { q1: '1' }, edit: 'e1', base: 0 }],
      receipts: [],
      operation: undefined,
      finish: null,
      trouble: null,
    }),
    storeOperation: async () => undefined,
  }
})
vi.mock('#app/device/store/load-dexie.ts', async (original) => {
  const { loadDexie } = await original<typeof import('#app/device/store/load-dexie.ts')>()
  return { loadDexie: () => (storePart.load ?? loadDexie)() }
})
vi.mock('#app/device/fetch-instance.ts', async (original) => ({
  ...(await original<object>()),
  fetchAndStoreInstance: async () => {
    const stored = Promise.reject(new PartNotFetched())
    stored.catch(() => undefined)
    const instance = { instanceId: 'i1', status: 'IN_PROGRESS', contentVersion: '1', revision: 0, sections: [], responses: [], groups: [] }
    return { instance, stored }
  },
}))
type Run = (ask: Ask) => Promise<void> | void

/** Advances fake time by an hour. */
const anHour = () => vi.advanceTimersByTimeAsync(HOUR_MS)

async function answerWithoutDisk(ask: Ask): Promise<void> {
  // without IndexedDB, as here, no answer reaches the disk
  const key = { userId: 'u1', instanceId: crypto.randomUUID() }
  vi.stubGlobal('document', { hidden: true })
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  const ids = new Set<string>()
  const save = (body: string) => {
    ids.add((JSON.parse(body) as SaveBody).operation?.id ?? '')
    return trackSend(Promise.reject(ask()))
  }
  const identity = { instanceId: key.instanceId, deviceId: 'd1', contentVersion: '1' }
  const answers = new ScreenAnswers(key, { onSaved: () => undefined, sendDirectly: (rows) => sendRowsToServer(rows, identity, save) })
  void answers.answer({ id: 'q1', question: '', options: [], subQuestions: [] }, 'Section1', { q1: '1' })
  await anHour()
  answers.close()
  sendTrouble.noteReply()
  expect(ids.size).toBe(1)
}

/** `atMost`: for work that makes several calls at a time. */
const RETRIES: Record<string, { run: Run; hasNoReply?: true; atMost?: number }> = {
  'the session’s refresh': {
    async run(ask) {
      const refreshing = createRefresh({
        read: () => ({ accessToken: 'a', refreshToken: 'r', expiresAt: 0 }),
        store: () => undefined,
        request: () => Promise.reject(ask()),
        withTabLock: (act) => act(),
        now: Date.now,
        monotonicNow: () => performance.now(),
        random: () => 0,
        end: () => undefined,
        log: () => undefined,
      })
      const tick = () => void refreshing.refresh('due').then(() => setTimeout(tick, refreshing.dueIn()))
      tick()
      await anHour()
    },
  },
  'the health probe': {
    hasNoReply: true,
    async run(ask) {
      const network = networkOf(() => Promise.reject(ask()))
      network.recheck()
      await anHour()
    },
  },
  'a read on screen': {
    async run(ask) {
      vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
      watchFailedReads(queryClient)
      const queryFn = () => Promise.reject(ask())
      const stop = new QueryObserver(queryClient, { queryKey: ['read'], queryFn, meta: readMark, retry: retryRead(['read']) }).subscribe(
        () => undefined,
      )
      await anHour()
      stop()
      queryClient.clear()
    },
  },
  'unsent answers': {
    async run(ask) {
      for (const name of ['document', 'navigator']) vi.stubGlobal(name, { addEventListener: () => undefined })
      vi.stubGlobal('addEventListener', () => undefined)
      server.call = ask
      device.instances = [{ userId: 'u1', instanceId: 'i1', finish: null }]
      startOutbox()
      await anHour()
      device.instances = []
      sendTrouble.noteReply()
    },
  },
  'answers that the disk refuses': { run: answerWithoutDisk },
  'answers that the disk refuses, and the server too': {
    hasNoReply: true,
    run: (ask) =>
      answerWithoutDisk(() => {
        ask()
        return new ApiError({ kind: 'HTTP', status: 409, data: { code: 'INVALID_ANSWER', message: '-', requestId: '-' } })
      }),
  },
  'unsent answers with a server that comes and goes': {
    async run(ask) {
      const network = flappingNetwork()
      const go = () => sendTrouble.mayRetry() && sendTrouble.noteFailure(ask())
      network.onReachable(() => {
        sendTrouble.noteReachable()
        go()
      })
      const timer = setInterval(network.recheck, 500)
      const tries = setInterval(go, SEND_RETRY_MS)
      await anHour()
      clearInterval(timer)
      clearInterval(tries)
      sendTrouble.noteReply()
    },
  },
  'the health probe behind a proxy that replies in place of the API': {
    hasNoReply: true,
    async run(ask) {
      const network = networkOf(async () => {
        ask()
        return Response.json({ status: 'ok', service: 'touchline' })
      })
      const timer = setInterval(network.noteOddReply, 2000)
      await anHour()
      clearInterval(timer)
    },
  },
  'what is asked at each return of a server that comes and goes': {
    hasNoReply: true,
    async run(ask) {
      const network = flappingNetwork()
      network.onReachable(ask)
      // something notices each time that it is down or back
      const timer = setInterval(network.recheck, 500)
      await anHour()
      clearInterval(timer)
    },
  },
  'a payment that is not verified yet': {
    run(ask) {
      let state = startPaymentReturn('cs_1')
      for (let at = 0; at < HOUR_MS && state.step !== 'failed';) {
        state = nextPaymentReturn(state, eventOfError(ask()), true)
        if (state.step === 'unverified') at += state.retryInMs
        state = nextPaymentReturn(state, { type: 'retry' }, true)
      }
    },
  },
  'what is missing for “ready for no signal”': {
    async run(ask) {
      vi.stubGlobal('navigator', {})
      server.call = ask
      vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined })
      startPreparing()
      await anHour()
    },
  },
  'a dozen files of the first screen': {
    hasNoReply: true,
    atMost: 320,
    async run(ask) {
      vi.stubGlobal('addEventListener', () => undefined)
      const append = (part: EventTarget) => queueMicrotask(() => part.dispatchEvent(new Event('error')))
      const quiet = { addEventListener: () => undefined, querySelector: () => null }
      vi.stubGlobal('document', { ...quiet, createElement: () => new EventTarget(), head: { append } })
      vi.stubGlobal('fetch', () => Promise.reject(ask()))
      void beginFiles(() => undefined).ask(Array.from({ length: 12 }, (_, at) => `assets/${at}.js`))
      await anHour()
    },
  },
  'a page that is cut off each time': {
    hasNoReply: true,
    async run(ask) {
      vi.stubGlobal('document', { documentElement: { outerHTML: '<html>' } })
      vi.stubGlobal('window', {})
      vi.stubGlobal('addEventListener', () => undefined)
      vi.stubGlobal('navigator', { onLine: true })
      vi.stubGlobal('location', { reload: ask })
      vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as PerformanceNavigationTiming])
      await import('../../src/boot/reload-cut-page.ts')
      await anHour()
    },
  },
  'a part of the app that no screen waits for': {
    hasNoReply: true,
    async run(ask) {
      void loadWithRetry(() => Promise.reject(ask()))
      await anHour()
    },
  },
  'texts that a screen does without': {
    hasNoReply: true,
    async run(ask) {
      void loadInBackground(() => Promise.reject(ask()))
      await anHour()
    },
  },
  'a part of the app that a screen misses': {
    hasNoReply: true,
    async run(ask) {
      const fetchParts = async (): Promise<PartsOutcome> => {
        ask()
        return 'missing'
      }
      vi.stubGlobal('earlyStart', { replies: {}, fetchParts } satisfies EarlyStart)
      const stop = reloadOnceFetched()
      await anHour()
      stop()
    },
  },
  'a part of the app, or a questionnaire, that could not be loaded': {
    hasNoReply: true,
    async run(ask) {
      let isOver = false
      const goOn = (): void => {
        if (isOver) return
        ask()
        void waitToRetry().then(goOn)
      }
      goOn()
      await anHour()
      isOver = true
    },
  },
  'the part of the app that stores an open questionnaire': {
    hasNoReply: true,
    async run(ask) {
      vi.stubGlobal('document', { hidden: true, addEventListener: () => undefined })
      for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
      vi.stubGlobal('localStorage', fakeStorage())
      storePart.load = async () => {
        ask()
        throw new PartNotFetched()
      }
      const questionnaire = questionnaireOf({ userId: 'u1', instanceId: 'i1' }, 'en')
      const close = questionnaire.subscribe(() => undefined)
      await vi.waitFor(() => expect(questionnaire.get().state).toBe('ready'))
      void questionnaire.answers.answer({ id: 'q1', question: '', options: [], subQuestions: [] }, 'Section1', { q1: '1' })
      await anHour()
      close()
      questionnaire.answers.close()
      storePart.load = undefined
      sendTrouble.noteReply()
    },
  },
  'whether this version is still too old': {
    async run(ask) {
      stubReplies(ask)
      updateRequired.note(true)
      const stop = watchStillTooOld()
      await anHour()
      updateRequired.note(false)
      stop()
    },
  },
  'what became of an account that was left here': {
    async run(ask) {
      stubReplies(ask)
      vi.stubGlobal('navigator', {})
      vi.stubGlobal('localStorage', fakeStorage())
      vi.resetModules()
      const { noteLeftAccount } = await import('#app/session/left-accounts.ts')
      const { checkLeftAccounts } = await import('#app/device/left-accounts.ts')
      noteLeftAccount({ userId: 'u2', proof: 'u2.x' })
      await checkLeftAccounts()
      await anHour()
      vi.clearAllTimers()
    },
  },
  'the settings': {
    async run(ask) {
      stubReplies(ask)
      vi.resetModules()
      const { knownSettings } = await import('#app/api/use-settings.ts')
      knownSettings.subscribe(() => undefined)
      await anHour()
    },
  },
}

/** The server's replies to every call. */
function stubReplies(ask: Ask): void {
  vi.stubGlobal('fetch', async () => {
    const { status = 500, retryAfterSeconds } = ask()
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return Response.json({ code: 'INTERNAL', message: '', requestId: 'r' }, { status, headers })
  })
}

function networkOf(ask: typeof fetch) {
  return createNetwork({
    fetch: ask,
    isOnLine: () => true,
    now: () => performance.now(),
    setTimeout: (act, ms) => setTimeout(act, ms),
    clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    random: () => 0.5,
  })
}

/** A network whose server is up for one second and down for the next. */
function flappingNetwork() {
  const isUp = () => Math.floor(performance.now() / 1000) % 2 === 0
  return networkOf(async () => {
    if (!isUp()) throw new TypeError('Failed to fetch')
    return Response.json({ status: 'ok', service: 'touchline' })
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each(Object.entries(RETRIES))('%s', (_, { run, hasNoReply, atMost = CALLS_MAXIMUM }) => {
  test('is retried during an hour of failures, but seldom', async () => {
    let calls = 0
    await run(() => {
      calls += 1
      return new ApiError({ kind: 'HTTP', status: 500 })
    })
    expect(calls).toBeLessThanOrEqual(atMost)
    expect(calls).toBeGreaterThan(7)
  })

  test.skipIf(hasNoReply)('waits as long as the server asks', async () => {
    let calls = 0
    await run(() => {
      calls += 1
      return new ApiError({ kind: 'HTTP', status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS })
    })
    expect(calls).toBeLessThanOrEqual(CALLS_WHEN_ASKED_TO_WAIT)
    expect(calls).toBeGreaterThan(3)
  })
})
