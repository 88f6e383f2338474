import type { Reporter, Suite } from '@playwright/test/reporter'
import { NOT_INSTALLED } from './journey.ts'

/** Says at the end which engines this machine lacks, and how many journeys were not run for it. */
export default class MissingEngines implements Reporter {
  #suite: Suite | undefined

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onEnd(): void {
    const reasons = (this.#suite?.allTests() ?? []).flatMap(({ annotations }) => annotations.map(({ description = '' }) => description))
    const counts = Map.groupBy(
      reasons.filter((reason) => reason.endsWith(NOT_INSTALLED)),
      (reason) => reason,
    )
    for (const [reason, { length }] of counts) console.log(`${reason}, ${length} ${length === 1 ? 'journey' : 'journeys'} not run`)
  }
}
