/**
 * Which names a player's report can print, by one rule for server and screen: its font has the Latin, Greek and Cyrillic letters of names,
 * and no others. RESULTS-20
 */

const LETTERS = [
  ' -~',
  // Latin of Europe, then of Africa, Azerbaijan and pinyin, then of Romania
  '\u00a1-\u0181\u0186\u018a\u018e-\u0190\u0192-\u0194\u0196\u0197\u01a0\u01a1\u01af-\u01b1\u01cd-\u01dc\u01f8-\u01ff\u0218-\u021b\u0250-\u027b',
  // Latin with further marks, among it that of Vietnam
  '\u1e0a-\u1e0f\u1e1e-\u1e2b\u1e32-\u1e3b\u1e3e-\u1e49\u1e56-\u1e63\u1e6a-\u1e6f\u1e7e-\u1e85\u1e8e-\u1e97\u1e9e-\u1ef9',
  '\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce',
  '\u0400-\u045f\u0490-\u0493\u0496-\u049b\u04a0-\u04a3\u04ae-\u04b3\u04b6\u04b7\u04ba\u04bb\u04c0\u04cf\u04d4-\u04d9\u04e2\u04e3\u04e6-\u04e9\u04ee\u04ef',
  // marks that no single letter has, such as the second one of Ọ̀
  '\u0300-\u030c\u0323-\u0328\u0331',
  // letters and hyphens that look like an apostrophe or a minus
  '\u02bb\u02bc\u02be\u02bf\u2010-\u2015\u2018-\u201e',
].join('')

const WRITABLE = new RegExp(`^[${LETTERS}]*$`, 'u')

/** A name as the report prints it, without what is invisible in it; undefined if the report lacks one of its letters. */
export function nameInReport(name: string): string | undefined {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return WRITABLE.test(plain) ? plain : undefined
}
