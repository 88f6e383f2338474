/**
 * The order of the answers given on this device, the same in all tabs without communication: the time in ms, and always higher than
 * any order that this page has given or seen, so that a clock that is set back does not make a new answer an old one. (decision 0050)
 */
let last = 0

export function nextOrder(): number {
  last = Math.max(last + 1, Date.now())
  return last
}

/** Never gives an order again that another tab gave, or an earlier page. */
export function raiseOrder(rows: readonly { order?: number }[]): void {
  for (const { order = 0 } of rows) last = Math.max(last, order)
}
