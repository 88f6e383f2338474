/** Medians and their noise. */

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export interface Spread {
  median: number
  p10: number
  p90: number
  count: number
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), p10: quantile(values, 0.1), p90: quantile(values, 0.9), count: values.length }
}

/** The ratio is taken pairwise, because interleaved runs with the same number had the same conditions. */
export function pairedRatio(ours: readonly number[], others: readonly number[]): Spread {
  return spread(ours.map((value, run) => value / (others[run] ?? Number.NaN)))
}
