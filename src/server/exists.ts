import { stat } from 'node:fs/promises'

/** Whether there is a file or folder that this program can see. */
export const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined
