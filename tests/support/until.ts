import { setTimeout as delay } from 'node:timers/promises'
/** Resolves when the condition holds; the test's timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10)
}
