/** Browsers close or hang databases (iOS above all): longer than this is "not saved". */
const PATIENCE_MS = 3000

/** Gives a piece of work on the database up after 3 s. */
export async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the device database does not answer')), PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The browser closed the database under us: to be opened again. */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && ['DatabaseClosedError', 'InvalidStateError', 'UnknownError'].includes(error.name)
}
