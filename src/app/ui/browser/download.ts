/** Safari begins to read the file after the tap's task, so its URL must outlive that. */
const URL_KEPT_MS = 60_000

/** Downloads a file made in the browser. */
export function download(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), URL_KEPT_MS)
}

/** The person cancelled the share sheet. A page cannot know whether a download was cancelled. */
export type Saving = 'downloaded' | 'shared' | 'cancelled'

/** On a touch screen uses the system's share sheet, if it accepts the file: a download is hard to find there. */
export async function saveFile(file: File): Promise<Saving> {
  const isTouch = matchMedia('(pointer: coarse)').matches
  if (isTouch && 'canShare' in navigator && 'share' in navigator && navigator.canShare({ files: [file] })) {
    try {
      await navigator.share({ files: [file] })
      return 'shared'
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return 'cancelled'
      console.warn('The file could not be shared', error)
    }
  }
  download(file)
  return 'downloaded'
}
