/**
 * The app's icon, chalk on grass: the touchline, the halfway line that makes it a T, the centre circle drawn in one stroke, and
 * the coach at the line. The pictures are committed: run `node src/tools/icons.ts`
 * after a change here. LOOK-7
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

type Point = readonly [x: number, y: number]
type Line = (t: number) => Point
type Width = (t: number) => number

const output = new URL('../../public/icons/', import.meta.url)

// --action-strong, --pitch and --ground of tokens.css: the stripes differ more than the portal's, to show in a small icon
const darkStripe = '#0b462e'
const lightStripe = '#0f5438'
const lines = '#f8f8f1'
const amber = '#f6b73c'

const tenth = (value: number) => Math.round(value * 10) / 10

function curve(a: Point, b: Point, c: Point, d: Point): Line {
  const along = (t: number, from: number, one: number, two: number, to: number) => {
    const u = 1 - t
    return u * u * u * from + 3 * u * u * t * one + 3 * u * t * t * two + t * t * t * to
  }
  return (t) => [along(t, a[0], b[0], c[0], d[0]), along(t, a[1], b[1], c[1], d[1])]
}

/** A circle that looks hand-drawn, because it ends outside its beginning. Angles in degrees, clockwise from the right. */
function ring(centre: Point, radius: number, from: number, turn: number, drift: number): Line {
  return (t) => {
    const angle = ((from + turn * t) * Math.PI) / 180
    const reach = radius + drift * t
    return [centre[0] + reach * Math.cos(angle), centre[1] + reach * Math.sin(angle)]
  }
}

/** A chalk stroke, thin at both ends. */
function pressed(widest: number): Width {
  const swell = (t: number, over: number) => 0.16 + 0.84 * Math.sqrt(Math.min(1, t / over))
  return (t) => widest * swell(t, 0.14) * swell(1 - t, 0.12)
}

/** The outline of a stroke of changing width, as path data. */
function stroke(line: Line, width: Width, steps: number): string {
  const left: string[] = []
  const right: string[] = []
  for (let step = 0; step <= steps; step++) {
    const t = step / steps
    const [x, y] = line(t)
    const [ax, ay] = line(Math.max(0, t - 0.004))
    const [bx, by] = line(Math.min(1, t + 0.004))
    const half = width(t) / 2 / Math.hypot(bx - ax, by - ay)
    const [dx, dy] = [(ay - by) * half, (bx - ax) * half]
    left.push(`${tenth(x + dx)} ${tenth(y + dy)}`)
    right.unshift(`${tenth(x - dx)} ${tenth(y - dy)}`)
  }
  return `M${[...left, ...right].join('L')}Z`
}

/** On a field of 512 × 512. The lines extend beyond it, so that they still reach the icon's edge if the mark is scaled down. */
function mark({ bold = 1, coach = amber } = {}): string {
  const touchline = stroke(curve([-160, 216], [60, 194], [390, 186], [672, 192]), (t) => (38 - 8 * t) * bold, 32)
  const halfway = stroke(curve([256, 196], [259, 300], [254, 420], [256, 640]), (t) => (35 - 5 * t) * bold, 16)
  const circle = stroke(ring([256, 462], 128, 218, 378, 26), pressed(34 * bold), 96)
  return `<path fill="${lines}" d="${touchline}${halfway}${circle}"/><circle cx="256" cy="112" r="${tenth(40 * Math.sqrt(bold))}" fill="${coach}"/>`
}

const ground = `<path fill="${darkStripe}" d="M0 0h512v512H0z"/><path fill="${lightStripe}" d="M0 0h102.4v512H0zM204.8 0h102.4v512H204.8zM409.6 0h102.4v512H409.6z"/>`
const scaled = (content: string, scale: number) =>
  `<g transform="translate(${tenth(256 - 256 * scale)} ${tenth(248 - 248 * scale)}) scale(${scale})">${content}</g>`
const rounded = (content: string) =>
  `<clipPath id="c"><rect width="512" height="512" rx="112"/></clipPath><g clip-path="url(#c)">${content}</g>`
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${content}</svg>\n`

const icon = svg(rounded(ground + mark()))
const square = svg(ground + scaled(mark(), 0.92))
/** The motif stays within the central 80 %, which no launcher cuts off. */
const maskable = svg(ground + scaled(mark(), 0.84))
const monochrome = svg(scaled(mark({ coach: lines }), 0.84))
const favicon = svg(rounded(ground + mark({ bold: 1.35 })))

/** Writes every icon into `public/icons/`. */
async function makeIcons(): Promise<void> {
  const png = async (name: string, source: string, size: number) => {
    const picture = sharp(Buffer.from(source), { density: 192 }).resize(size, size)
    await picture.png({ palette: true, compressionLevel: 9, effort: 10 }).toFile(fileURLToPath(new URL(name, output)))
  }
  await mkdir(output, { recursive: true })
  await png('favicon-32.png', favicon, 32)
  await png('icon-192.png', icon, 192)
  await png('icon-512.png', icon, 512)
  await png('icon-maskable-192.png', maskable, 192)
  await png('icon-maskable-512.png', maskable, 512)
  await png('icon-monochrome-512.png', monochrome, 512)
  await png('apple-touch-icon.png', square, 180)
}

if (import.meta.main) await makeIcons()
