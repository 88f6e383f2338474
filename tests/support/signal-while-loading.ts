import { registerHooks } from 'node:module'

/** For `node --import`: a supervisor's SIGTERM, as the program begins to load what it consists of. */

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('/src/server/start.ts')) process.kill(process.pid, 'SIGTERM')
    return nextLoad(url, context)
  },
})
