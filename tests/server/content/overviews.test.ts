import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { overviewsOf, resultsOf, stylesOf, typesOf, VERSIONS } from './support.ts'

/** The 64 texts of a language, one for each pair of style and type, of three paragraphs each. RESULTS-9 */

/** Every paragraph with its place, so that a failure names it: "plan ISTJ 2". */
type Placed = readonly [place: string, text: string]

function paragraphs(version: string, language: Language): Placed[] {
  return stylesOf(version).flatMap((style) =>
    Object.entries(overviewsOf(version, language, style)).flatMap(([type, texts]) =>
      texts.map((text, at) => [`${style} ${type} ${at + 1}`, text] as const),
    ),
  )
}

const matching = (all: readonly Placed[], pattern: RegExp) =>
  all.flatMap(([place, text]) => [...text.matchAll(new RegExp(pattern, 'giu'))].map(([found]) => `${place}: ${found}`))
/** An elided word counts with the next: « l’équipe » is one. */
const wordCount = (text: string) => text.match(/[\p{L}\p{N}]+(?:’\p{L}+)*/gu)?.length ?? 0
const sentencesOf = (text: string) => text.split(/(?<=[.!?…]|[.!?…]”|[.!?…][\u00A0\u202F]»)\s+(?=[\p{Lu}«“])/u)

const each = VERSIONS.flatMap((version) => LANGUAGES.map((language) => ({ version, language })))

describe.each(each)('the overviews ($version, $language)', ({ version, language }) => {
  const all = paragraphs(version, language)

  it('are written for all 64 pairs, three paragraphs each', () => {
    for (const style of stylesOf(version)) {
      const file = overviewsOf(version, language, style)
      expect([style, Object.keys(file).sort()]).toEqual([style, typesOf(version).sort()])
      expect([style, typesOf(version).filter((type) => file[type].length !== 3)]).toEqual([style, []])
    }
  })

  it('have 35–90 words in each paragraph', () => {
    const counted = all.map(([place, text]) => `${place}: ${wordCount(text)}`)
    expect(counted.filter((one) => Number(one.split(': ')[1]) < 35 || Number(one.split(': ')[1]) > 90)).toEqual([])
  })

  it('say no sentence twice, nor one from the other texts of a result', () => {
    const { styles, types, facets, closing } = resultsOf(version, language)
    const others = [...Object.values(styles), ...Object.values(types)].map(({ content }) => content)
    const seen = new Set([...others, closing, ...Object.values(facets).flatMap((one) => Object.values(one))].flatMap(sentencesOf))
    const again = all.flatMap(([place, text]) =>
      sentencesOf(text).flatMap((sentence) => {
        const isKnown = seen.has(sentence)
        seen.add(sentence)
        return isKnown ? [`${place}: ${sentence}`] : []
      }),
    )
    expect(again).toEqual([])
  })

  it('each open with different words', () => {
    const opening = (text: string) => text.toLowerCase().split(' ').slice(0, 4).join(' ')
    const openings = all.filter(([place]) => place.endsWith('1')).map(([, text]) => opening(text))
    expect(openings.filter((one, at) => openings.indexOf(one) !== at)).toEqual([])
  })

  it('spell teammate in one way', () => {
    const others = /team[ -]mate/
    expect(version === 'touchline-profile-1' ? [] : matching(all, others)).toEqual([])
  })

  it('are whole sentences, trimmed, with typographic punctuation', () => {
    expect(all.filter(([, text]) => !/^[\p{Lu}“«][^]*[.!?…”»]$/u.test(text))).toEqual([])
    expect(matching(all, /^\s|\s$| {2}|\n|\.\.\.|['"]| - | – |—/)).toEqual([])
  })

  it('name no instrument, no type letters, and nothing on selection, medicine or contracts', () => {
    expect(matching(all, /\bMBTI\b|Myers|Briggs|\bLSI\b|Kolb/)).toEqual([])
    expect(all.filter(([, text]) => /\b[EI][SN][TF][JP]\b/.test(text))).toEqual([])
    expect(matching(all, /talent|diagnos|disorder|recrut|recruit|scout|s[ée]lection|injur|bless|doct|médec|\bcontra(c)?ts?\b/)).toEqual([])
  })

  it('describe preferences, never ability, rank or fate', () => {
    expect(
      matching(
        all,
        /\b(good|better|best|great|weak|strong|bad) at\b|\byou(?:’re| are) (?:the|a) (?:best|better)|gifted|a gift for|born to|you (?:always|never)\b/,
      ),
    ).toEqual([])
    expect(matching(all, /\b(?:doué|meilleure?s? que|moins bon|plus fort que|un don pour|tu \p{L}+ (?:toujours|jamais))\b/u)).toEqual([])
  })
})

describe.each(VERSIONS)('the French overviews of %s', (version) => {
  const all = paragraphs(version, 'fr')

  it('put U+202F before ; ! ? and U+00A0 before : and inside « »', () => {
    expect(all.filter(([, text]) => /(?<!\u202F)[;!?]/.test(text))).toEqual([])
    expect(all.filter(([, text]) => /(?<!\u00A0):/.test(text))).toEqual([])
    expect(all.filter(([, text]) => /«(?!\u00A0)|(?<!\u00A0)»/.test(text))).toEqual([])
    expect(all.filter(([, text]) => /\u202F(?![;!?])|\u00A0(?![:»])(?<!«\u00A0)/.test(text))).toEqual([])
  })

  it('fit any reader: no doubled endings, and no gendered noun for the reader', () => {
    expect(matching(all, /\(e\)|·|\btu\/|-e-s\b|\be\(/)).toEqual([])
    expect(
      matching(all, /\b(?:tu es|tu restes|tu deviens|comme) une? (?:joueu|équipi|coéquipi|leader|meneu|garçon|fille|capitaine)\p{L}*/u),
    ).toEqual([])
    expect(matching(all, /(?<!bien )\b(?:prête?|contente?|sûre?|heureuse|heureux|fière?)\b(?! d| ton\b)/)).toEqual([])
  })

  it('have no adjective or participle that agrees with the reader', () => {
    const being =
      /\b(?:sois|te voilà|tu (?:n’|ne |y |en )?(?:es|étais|seras|serais|restes|deviens|demeures|parais|sembles|(?:te |t’)(?:sens|retrouves|trouves|vois))) (?:(?:pas|plus|jamais|souvent|parfois|assez|très|plutôt|un peu|vite|encore|bien|aussi) )*(?<word>\p{L}+)/giu
    const agreeing = all.flatMap(([place, text]) =>
      [...text.matchAll(being)]
        .filter(
          ({ groups }) =>
            /(?:é|ée|if|ive|eux|euse|ant|ante|eur|in|ine|ul|ule|êt|ête|al|ale|el|elle|et|ète|eul|eule)$/.test(groups?.['word'] ?? '') &&
            groups?.['word'] !== 'loin',
        )
        .map(([found]) => `${place}: ${found}`),
    )
    expect(agreeing).toEqual([])
    expect(
      matching(
        all,
        /\bt’es (?!promis\b|dit\b|donné\b|demandé\b)|(?:^|[.!?…]\s)(?!Deux\b)\p{Lu}\p{L}*(?:é|ée|eux|euse|if|ive)(?:,| [^.,;:!?]*,) tu\b/u,
      ),
    ).toEqual([])
    // the participle agrees in « on t’a vu », but not in « ça t’a plu », where the verb takes « à »
    const told =
      /(?<!\p{L})t’(?:a|ont|avait|avaient|aura) (?:déjà |souvent |bien )?(?!(?:fait|dit|filé|appris|donné|montré|plu|manqué|coûté|échappé|servi|répondu|demandé|apporté)(?!\p{L}))\p{L}+(?:é|i|u|is|it)(?!\p{L})/u
    expect(matching(all, told)).toEqual([])
  })
})
