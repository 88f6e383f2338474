const START = '%PDF-'
/** Its last line, and nothing but the line's end after it. */
const END = /%%EOF\s*$/
const END_LENGTH = 16

/** Whether bytes are a PDF from its first line to its last: not a portal's page, nothing, or a file that was cut. RESULTS-17 */
export function isWholePdf(bytes: Uint8Array): boolean {
  return textOf(bytes.subarray(0, START.length)) === START && END.test(textOf(bytes.subarray(-END_LENGTH)))
}

function textOf(bytes: Uint8Array): string {
  return String.fromCodePoint(...bytes)
}
