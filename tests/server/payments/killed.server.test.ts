import { expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { installation, mailsAt, signInAt } from '#tests/support/installation.ts'
import { GOOD_CARD } from '#tests/sandbox/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { callsOf, checkout, type Calls } from './support.ts'

// The server is a process of its own, so that it can be killed. It starts twice, which takes long on a busy machine.
const START_TWICE = 180_000

function post(address: string, path: string, body: object): Promise<Response> {
  return fetch(`${address}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function ownInstances(player: Calls): Promise<{ status: string }[]> {
  return (await player<{ data: { status: string }[] }>(api.instances.list)).body.data
}

it(
  'a server killed between payment and fulfilment fulfils the order after it is started again',
  async () => {
    const { address, start, kill } = await installation()
    await start()
    const player = callsOf({ address }, await signInAt(address, 'killed@payments.test'))
    await post(address, '/dev/stripe/control', { action: 'behave', delivery: 'held' })
    const opened = await checkout(player)
    const paid = await post(address, '/dev/card-frame/pay', { clientSecret: opened.clientSecret, lang: 'en', ...GOOD_CARD })
    expect(await paid.json()).toEqual({
      sessionId: opened.sessionId,
      returnUrl: `${address}/stripe/direct-purchase/return?session_id=${opened.sessionId}`,
    })
    expect(await ownInstances(player)).toEqual([])
    await kill()

    await start()
    expect(await mailsAt(address, 'killed@payments.test')).toHaveLength(1)
    await post(address, '/dev/stripe/control', { action: 'release' })
    await waitFor(async () => (await ownInstances(player)).length === 1)
    expect(await ownInstances(player)).toMatchObject([{ status: 'OWNED' }])
  },
  START_TWICE,
)
