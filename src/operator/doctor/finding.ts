/** What the doctor found about one setting. */
export interface Finding {
  /** warning: the server starts, but something does not work or is not safe */
  level: 'ok' | 'warning' | 'error'
  /** name of the setting it is about; NODE, CLOCK, DISK, AUDIT for what is not a setting */
  setting: string
  /** one or more sentences: what is, and if it is not ok, what to do */
  message: string
}

export const ok = (setting: string, message: string): Finding => ({ level: 'ok', setting, message })
export const warning = (setting: string, message: string): Finding => ({ level: 'warning', setting, message })
export const error = (setting: string, message: string): Finding => ({ level: 'error', setting, message })
