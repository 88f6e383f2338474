import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded by `node --import` before a program: writes the URL of each module the program loads, a line each, to the file REPORT_MODULES names. */

const report = process.env['REPORT_MODULES']
if (report === undefined) throw new Error('REPORT_MODULES names no file')
registerHooks({
  load(url, context, nextLoad) {
    writeFileSync(report, `${url}\n`, { flag: 'a' })
    return nextLoad(url, context)
  },
})
