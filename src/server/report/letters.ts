import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'

/** The report's letters: Source Sans 3, which has Latin, Greek and Cyrillic. A name with others is left out (RESULTS-20). */

type Face = 'regular' | 'bold'

const FILES: Record<Face, string> = { regular: '400Regular/SourceSans3_400Regular.ttf', bold: '700Bold/SourceSans3_700Bold.ttf' }

const parsed = new Map<Face, Font>()

/** Parsed once, when the first report is made. */
export function fontOf(face: Face): Font {
  const font = parsed.get(face) ?? read(face)
  parsed.set(face, font)
  return font
}

function read(face: Face): Font {
  const font = create(readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${FILES[face]}`))))
  if ('fonts' in font) throw new Error(`${FILES[face]} is a collection`)
  return withCodePoints(font)
}

/**
 * The text of a PDF is read from its glyphs' code points. fontkit sets these when it first makes a glyph: to none for the A that is a
 * part of an À, which an A alone then shares, and to those of the first of two letters that look alike.
 */
function withCodePoints(font: Font): Font {
  const isPlain = (codePoint: number) => {
    const character = String.fromCodePoint(codePoint)
    return character.normalize('NFKC') === character
  }
  for (const codePoint of font.characterSet.filter(isPlain)) font.glyphForCodePoint(codePoint)
  const getGlyph = font.getGlyph.bind(font)
  // of those without a letter of their own, such as the dot below an Ọ
  font.getGlyph = (id, codePoints = []) => {
    const glyph = getGlyph(id, codePoints)
    if (glyph.codePoints.length === 0) glyph.codePoints = codePoints
    return glyph
  }
  return font
}

/** Whether the report's fonts have all letters of a text. */
export function canSet(text: string): boolean {
  return Array.from(text).every((character) => fontOf('regular').hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
}
