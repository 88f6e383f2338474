const LOOK_EVERY_MS = 250

/**
 * npm starts a script through a shell and ends only the shell, which does not forward the signal. A script that loses its parent
 * therefore sends itself the signal.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const shell = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === shell) return
    // once: a second signal would not wait for running calls
    clearInterval(looking)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS)
  looking.unref()
}
