/** Loads a module once. Called at every tap, where the bundler's own loader would search the whole document; a failed load is retried. */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined
  return () => {
    loading ??= whole(load()).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

async function whole<Module>(loading: Promise<Module>): Promise<Module> {
  const module = await loading
  if (module === undefined) throw new Error('The page is being reloaded (shell/lost-chunks.ts).')
  return module
}
