import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** For `node --import`: writes the URL of each module that the program loads to the file named by REPORT_MODULES, one a line. */

const report = process.env['REPORT_MODULES']
if (report === undefined) throw new Error('REPORT_MODULES names no file')
registerHooks({
  load(url, context, nextLoad) {
    writeFileSync(report, `${url}\n`, { flag: 'a' })
    return nextLoad(url, context)
  },
})
