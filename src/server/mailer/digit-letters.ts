/** Letters g to p for the digits 0 to 9, after those of hexadecimal, since only a code may be a run of 8 digits (MAIL-1). */

const FIRST_LETTER = 'g'.charCodeAt(0)

export function lettersOf(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCharCode(FIRST_LETTER + Number(digit)))
}

export function digitsOf(letters: string): string {
  return letters.replaceAll(/[g-p]/g, (letter) => String(letter.charCodeAt(0) - FIRST_LETTER))
}
