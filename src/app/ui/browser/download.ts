/** Downloads a file made in the browser. */
export function download(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** On a touch screen the system's share sheet, where it takes the file: a download is hard to find there. False if the person cancelled. */
export async function saveFile(file: File): Promise<boolean> {
  const isTouch = matchMedia('(pointer: coarse)').matches
  if (isTouch && 'canShare' in navigator && 'share' in navigator && navigator.canShare({ files: [file] })) {
    try {
      await navigator.share({ files: [file] })
      return true
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return false
      console.warn('The file could not be shared', error)
    }
  }
  download(file)
  return true
}
