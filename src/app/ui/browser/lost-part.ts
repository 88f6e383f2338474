/** A part of the app that could not be fetched resolves to undefined while the page may reload for it (shell/lost-chunks.ts). */

/** resolves once the page turned out to stay as it is */
let settled = Promise.resolve()

/** @param outcome resolves if the page stays, and never if it reloads */
export function noteMayReload(outcome: Promise<void>): void {
  settled = outcome
}

/** The part; rejects for a lost one once it is known that the page does not reload for it. */
export async function orLost<Part>(loading: Promise<Part>): Promise<Part> {
  const part = await loading
  if (part !== undefined) return part
  await settled
  throw new Error('A part of the app could not be fetched')
}
