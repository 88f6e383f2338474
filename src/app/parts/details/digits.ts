const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** The value of a digit in any script. In Unicode a script's ten digits are consecutive, so a run of digits starts with a 0. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (isDigit(code - before - 1)) before += 1
  return before % 10
}

/** The digits of a text as 0–9: a keyboard may type them full-width, in Arabic-Indic or in Devanagari. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\P{Nd}/gu, '').replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
}
