import { isIos, isInstalled } from '#app/parts/install/browser.ts'

/** The icon's share of the screen's narrower side. */
const ICON_SHARE = 0.36

/**
 * Draws what iOS shows while the installed app starts: the icon on the header's green. iOS takes a picture only if it has exactly the
 * size of the screen, so it is drawn on the device instead of stored for each model. docs/decisions/0048
 */
export async function offerStartImages(): Promise<void> {
  if (!isIos() || isInstalled()) return
  const icon = new Image()
  icon.src = '/icons/icon-512.png'
  await icon.decode()
  const green = getComputedStyle(document.documentElement).getPropertyValue('--pitch')
  // iOS gives the sides of the screen as if it were held upright
  const { width, height } = screen
  for (const [orientation, wide, high] of [
    ['portrait', width, height],
    ['landscape', height, width],
  ] as const) {
    const link = document.createElement('link')
    link.rel = 'apple-touch-startup-image'
    link.media = `(orientation: ${orientation})`
    link.href = drawn(icon, green, wide * devicePixelRatio, high * devicePixelRatio)
    document.head.append(link)
  }
}

function drawn(icon: HTMLImageElement, ground: string, width: number, height: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw')
  const side = Math.min(width, height) * ICON_SHARE
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  context.drawImage(icon, (width - side) / 2, (height - side) / 2, side, side)
  return canvas.toDataURL()
}
