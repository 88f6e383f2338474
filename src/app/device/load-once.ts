/** Loads a module once; the next call retries a failed load. Used instead of plain `import()`, for which the bundler searches the document each time. */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined
  return () => {
    loading ??= checked(load()).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** A lost chunk resolves to undefined while the page is being reloaded. */
async function checked<Module>(loading: Promise<Module>): Promise<Module> {
  const module = await loading
  if (module === undefined) throw new Error('The page is being reloaded (shell/lost-chunks.ts).')
  return module
}
