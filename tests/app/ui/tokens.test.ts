import { describe, expect, test } from 'vitest'
import { themes } from '#tests/support/css-tokens.ts'

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['ground', 'surface']
const grass = ['pitch', 'pitch-mown', 'pitch-lit']
const softGrounds = ['calm-soft', 'wait-soft', 'action-soft', 'refused-soft']
const pairs = (inks: string[], behind: string[]) => inks.flatMap((ink) => behind.map((ground) => [ink, ground] as const))

const texts = [
  ...pairs(['ink', 'ink-soft', 'action', 'action-strong', 'wait', 'calm', 'refused', 'refused-strong'], grounds),
  ...pairs(['ink', 'ink-soft'], softGrounds),
  ...([
    ['on-action', 'action'],
    ['on-action', 'action-strong'],
    ['on-refused', 'refused'],
    ['on-refused', 'refused-strong'],
    ['wait', 'wait-soft'],
    ['calm', 'calm-soft'],
    ['action', 'action-soft'],
    ['action-strong', 'action-soft'],
    ['refused', 'refused-soft'],
  ] as const),
  ...pairs(['chalk', 'chalk-soft', 'chalk-wait'], grass),
]
const marks = [
  ...pairs(['line-strong'], [...grounds, 'calm-soft']),
  ...pairs(['wait-mark'], grounds),
  ...pairs(['action'], [...grounds, 'calm-soft']),
]

describe.each(Object.entries(themes()))('%s', (name, theme) => {
  const least = name.includes('more contrast') ? 7 : 4.5
  const colour = (token: string) => theme[token] ?? '#000000'

  test.each(texts)(`text %s on %s is at least ${least}:1`, (ink, ground) => {
    expect(contrast(colour(ink), colour(ground))).toBeGreaterThanOrEqual(least)
  })

  test.each(marks)('the outline %s on %s is at least 3:1', (mark, ground) => {
    expect(contrast(colour(mark), colour(ground))).toBeGreaterThanOrEqual(3)
  })
})
