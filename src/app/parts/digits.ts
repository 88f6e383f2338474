const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** 0–9 of any script's digit: each has its ten in a row, and rows that touch follow each other. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (isDigit(code - before - 1)) before += 1
  return before % 10
}

/** The digits of a text, as 0–9: a phone's keyboard may write them full-width, Arabic-Indic, in Devanagari. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\P{Nd}/gu, '').replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
}
