import { earlyStart } from '#app/early-start.ts'
import { PartNotFetched } from '#app/lost-part.ts'

/**
 * Loads a module once, after the files that the page began to load; the next call retries a failed load. Used instead of plain `import()`, for
 * which the bundler searches the document each time.
 * @param arrived of a module whose files are there before all others: when they are
 */
export function loadOnce<Module>(load: () => Promise<Module>, arrived = allArrived): () => Promise<Module> {
  let loading: Promise<Module> | undefined
  return () => {
    loading ??= rejectLostChunk(after(arrived(), load)).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

const allArrived = (): Promise<unknown> | undefined => earlyStart()?.allArrived

async function after<Module>(arrived: Promise<unknown> | undefined, load: () => Promise<Module>): Promise<Module> {
  await arrived
  return load()
}

/** A file of the app is gone, and the page is being reloaded for the current ones (shell/reload-for-lost-parts.ts). */
export class PageReloading extends Error {}

/** A lost part resolves to undefined while the page is being reloaded. */
async function rejectLostChunk<Module>(loading: Promise<Module>): Promise<Module> {
  const module = await loading.catch((cause: unknown) => {
    throw new PartNotFetched({ cause })
  })
  if (module === undefined) throw new PageReloading()
  return module
}
