import { Random as SeededRandom } from '#tools/instrument/random.ts'

/** Seeded randomness, and a scheduler that picks at every await which party continues, so that a seed always gives the same history. */

export class Random extends SeededRandom {
  below(n: number): number {
    return Math.floor(this.next() * n)
  }
  chance(p: number): boolean {
    return this.next() < p
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}

export class Scheduler {
  #waiting: (() => void)[] = []
  #random: Random
  constructor(random: Random) {
    this.#random = random
  }
  /** An await during which other parties may run. */
  step(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
  /** Lets one waiting party continue; false if none waits. */
  async advance(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve))
    if (this.#waiting.length === 0) return false
    const [next] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1)
    next?.()
    await new Promise((resolve) => setImmediate(resolve))
    return true
  }
  async drain(): Promise<void> {
    while (await this.advance());
  }
}
