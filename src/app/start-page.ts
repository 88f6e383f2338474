import { startSession } from '#app/session/session.ts'
import { reloadOnceForLostParts } from '#app/shell/reload-for-lost-parts.ts'
import { nextTask } from '#app/ui/browser/after-paint.ts'
import { endTransactionsWithPage } from '#app/ui/browser/transactions.ts'

let started: Promise<void> | undefined

/** What every page does first, whether main.tsx or first-questions.ts runs before the other. Resolves when it is known who is signed in. */
export function startPage(): Promise<void> {
  started ??= start()
  return started
}

async function start(): Promise<void> {
  reloadOnceForLostParts()
  endTransactionsWithPage()
  await nextTask()
  await startSession()
}
