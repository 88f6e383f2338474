/** What the doctor found about one setting. */
export interface Finding {
  /** warning: the server starts, but something does not work or is not safe */
  level: 'ok' | 'warning' | 'error'
  /** name of the setting it is about; NODE, CLOCK, DISK, AUDIT for what is not a setting */
  setting: string
  /** one or more sentences: what is, and if it is not ok, what to do */
  says: string
}

export const ok = (setting: string, says: string): Finding => ({ level: 'ok', setting, says })
export const warning = (setting: string, says: string): Finding => ({ level: 'warning', setting, says })
export const error = (setting: string, says: string): Finding => ({ level: 'error', setting, says })
