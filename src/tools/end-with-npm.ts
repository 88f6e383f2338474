const LOOK_EVERY = 250

/**
 * npm starts a script through a shell and ends only the shell, which passes nothing on: whoever was started that way has
 * lost its parent then, and asks itself to stop as if it had been told.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const shell = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === shell) return
    // once: a second signal would not wait for what is under way
    clearInterval(looking)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY)
  looking.unref()
}
