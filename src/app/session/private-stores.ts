/** Rooms that keep a person's work on the device tell sign-out about it through this port; offline/ fills it. */
export interface PrivateStore {
  /** answers of this person that the server has not acknowledged */
  countUnsent: () => Promise<number>
  /** tries to send them now; resolves to how many are left */
  sendNow: () => Promise<number>
  /** what this person can see on the device goes; unsent answers stay, locked to their owner, if told so */
  clear: (options: { keepUnsent: boolean }) => Promise<void>
}

const stores = new Set<PrivateStore>()

export function registerPrivateStore(store: PrivateStore): () => void {
  stores.add(store)
  return () => stores.delete(store)
}

async function sum(numbers: Promise<number>[]): Promise<number> {
  return (await Promise.all(numbers)).reduce((total, one) => total + one, 0)
}

export function countUnsent(): Promise<number> {
  return sum([...stores].map((store) => store.countUnsent()))
}

export function sendUnsent(): Promise<number> {
  return sum([...stores].map((store) => store.sendNow()))
}

export async function clearPrivateStores(options: { keepUnsent: boolean }): Promise<void> {
  await Promise.all([...stores].map((store) => store.clear(options)))
}
