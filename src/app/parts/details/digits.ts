const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** A digit of any script as 0–9: the ten of a script are consecutive, also where two scripts are adjacent. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (isDigit(code - before - 1)) before += 1
  return before % 10
}

/** The digits of a text as 0–9: a phone's keyboard may type them full-width, Arabic-Indic or in Devanagari. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\P{Nd}/gu, '').replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
}
