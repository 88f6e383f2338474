import { reader, sessionPort } from './session-port.ts'

/** The outcome of `work`; it never settles for somebody who has signed out meanwhile, as the next person must not be told of it. */
export async function unlessSignedOut<T>(work: () => Promise<T>): Promise<T> {
  const sender = reader.id()
  try {
    return await work()
  } finally {
    if (sender !== undefined && sessionPort.get()?.hasSignedOut(sender)) await new Promise(() => undefined)
  }
}
