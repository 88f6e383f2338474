/** Random numbers that are the same in each run. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** mulberry32: from 0 to below 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** mean 0, SD 1 */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  /** The logistic distribution: chance in a logit model. */
  logistic(): number {
    const chance = this.#positive()
    return Math.log(chance / (1 - chance))
  }

  /** Added to each liking, it makes a ranking in which any two things compare by the logistic distribution. */
  gumbel(): number {
    return -Math.log(-Math.log(this.#positive()))
  }

  /** `next` can be 0, whose logarithm is infinite. */
  #positive(): number {
    return this.next() || 2 ** -33
  }
}
