import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isWholePdf } from '#contract/rules/whole-pdf.ts'

const sample = new Uint8Array(await readFile(new URL('../../../public/media/sample/assessmentSampleReportImpact.pdf', import.meta.url)))

test('a report is whole', () => {
  expect(isWholePdf(sample)).toBe(true)
})

test.each<[string, Uint8Array]>([
  ['nothing', new Uint8Array()],
  ['its first line', sample.subarray(0, 16)],
  ['all but its last line', sample.subarray(0, -8)],
  ['all but its first line', sample.subarray(8)],
  ['its half', sample.subarray(0, sample.length / 2)],
  ['a portal’s page', new TextEncoder().encode('<html>Sign in to Wi-Fi</html>')],
])('%s is not', (_, bytes) => {
  expect(isWholePdf(bytes)).toBe(false)
})
