/**
 * How far two sittings of the same players agree on one scale. Players of one questionnaire are compared with each other only: what its
 * questions pull to one side is the same at both sittings and no agreement of theirs.
 */
export class Retest {
  #firsts: number[] = []
  #seconds: number[] = []
  #variances = 0
  #covariances = 0
  #questionnaires = 0

  add(first: number, second: number): void {
    this.#firsts.push(first)
    this.#seconds.push(second)
  }

  endQuestionnaire(): void {
    const [first, second] = [meanOf(this.#firsts), meanOf(this.#seconds)]
    const count = this.#firsts.length - 1
    let [variance, covariance] = [0, 0]
    for (const [at, one] of this.#firsts.entries()) {
      const [here, there] = [one - first, (this.#seconds[at] ?? 0) - second]
      variance += (here * here + there * there) / 2
      covariance += here * there
    }
    this.#variances += variance / count
    this.#covariances += covariance / count
    this.#questionnaires += 1
    this.#firsts = []
    this.#seconds = []
  }

  /** `sem`: the standard error of measurement, SD × √(1 − r). */
  figures(): { r: number; sd: number; sem: number } {
    const [variance, covariance] = [this.#variances / this.#questionnaires, this.#covariances / this.#questionnaires]
    return { r: covariance / variance, sd: Math.sqrt(variance), sem: Math.sqrt(variance - covariance) }
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}
