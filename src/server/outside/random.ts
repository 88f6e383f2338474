import { randomBytes, randomInt, randomUUID } from 'node:crypto'

export interface Random {
  id: () => string
  bytes: (count: number) => Buffer
  /** a random integer, 0 ≤ n < limit, each equally likely */
  below: (limit: number) => number
}

/** Cryptographically secure, without modulo bias. */
export const systemRandom: Random = { id: () => randomUUID(), bytes: (count) => randomBytes(count), below: (limit) => randomInt(limit) }
