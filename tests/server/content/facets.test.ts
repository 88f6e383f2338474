import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { resultText } from '#server/content/content.ts'
import { FACETS, type Facet } from '#server/content/definition.ts'
import { overviewsOf, resultsOf, stylesOf, typesOf, VERSIONS } from './support.ts'

/**
 * Words on the subject of each facet. A text for a style or a type that says how a player takes a mistake would contradict the
 * answers of half its readers, so only the sentences on the facets speak about these subjects. RESULTS-14
 */
const SUBJECTS: Record<Language, Record<Facet, RegExp>> = {
  en: {
    composure:
      /mistake|\berrors?\b|\bslips?\b|calm|nerv(?:e|ous)|\btense|tension|pressure|stress|\bcool\b|panic|afraid|\bfear|worr(?:y|ied)|\bcross with|angry|upset|annoy|blame|defeat|missed|lost ball|own goal|go(?:es|ne)? wrong|badly|astray|restless/,
    persistence: /patien|stubborn|giv(?:e|es|en|ing) up|gave up|motivat|\bbor(?:ed|ing|es?)\b|persever|tireless|keep(?:s)? going|dogged/,
    feedback: /criti[cq]|comments?\b|correct|feedback|\bremarks?\b|harsh|reproach|told off|weak points?/,
    teamwork: /selfless|unselfish|selfish|looks? out for|own solution|\balone\b|by yourself|on your own|\bsolo\b/,
    focus: /focus|concentrat|dream|wander|drift|attention|attentive|absent|distract|mind is|thoughts like|elsewhere|far away/,
  },
  fr: {
    composure:
      /\berreurs?\b|calme|\bnerfs?\b|nerveu|\btendue?s?\b|tension|pression|stress|sang-froid|paniqu|\bpeur\b|craindre|inqui[eéè]t|colère|agac|énerv|reproch|défaite|\brat(?:er|es?|é|ée)\b|ballon perdu|contre son camp|mal (?:passé|tourné)|\btrac\b/,
    persistence:
      /patien|têtu|entêt|abandonn|baiss[a-zé]* les bras|motiv|\blasse|ennu(?:i|y)|persév|infatigable|constance|acharn|avance lentement/,
    feedback:
      /critiqu|(?:une?|la|les|des|ta|tes|cette|sa) remarques?\b|corrig|correction|\breproch|points? faibles?|commentaires?\b|avis sur/,
    teamwork: /généreu|égoïs|propre solution|\bsolo\b|(?:tout|toute) seule?\b|veill[a-zé]* sur|garde[rsz]* un œil/,
    focus: /concentr|\brêv|attenti|distrai|(?<!d’)ailleurs|pensées|tête reste|étourdi/,
  },
}
// the texts of the first version stay as they were (SCORING-11)
const guarded = VERSIONS.filter((version) => version !== 'touchline-profile-1')
const each = guarded.flatMap((version) => LANGUAGES.map((language) => ({ version, language })))

describe.each(each)('the facets in the texts ($version, $language)', ({ version, language }) => {
  const words = resultsOf(version, language)
  const pairs = stylesOf(version).flatMap((lsi) => typesOf(version).map((mbti) => ({ lsi, mbti })))
  const overview = (pair: { lsi: string; mbti: string }, facet: Facet, mean: number) =>
    resultText(version, { ...pair, facets: [{ id: facet, mean }] }, language).characterOverview.content.split('\n')

  it.each(FACETS)('no text for a style, a type or their pair speaks on the subject of %s', (facet) => {
    const texts = [
      ...Object.entries(words.styles).map(([style, { content }]) => [style, content]),
      ...Object.entries(words.types).map(([type, { content }]) => [type, content]),
      ...pairs.flatMap(({ lsi, mbti }) => overviewsOf(version, language, lsi)[mbti].map((text) => [`${lsi} ${mbti}`, text])),
    ]
    const subject = new RegExp(SUBJECTS[language][facet], 'giu')
    const found = texts.flatMap(([place, text = '']) => [...text.matchAll(subject)].map(([word]) => `${place}: ${word}`))
    expect(found).toEqual([])
  })

  it('the words of a subject are those of its own sentences', () => {
    for (const facet of FACETS)
      for (const [pole, sentence] of Object.entries(words.facets[facet]))
        expect([facet, pole, SUBJECTS[language][facet].test(sentence.toLowerCase())]).toEqual([facet, pole, true])
  })

  it.each(FACETS)('for all 64 pairs, %s high or low comes after the text of the pair', (facet) => {
    for (const pair of pairs)
      for (const [mean, sentence] of [
        [5, words.facets[facet].high],
        [1, words.facets[facet].low],
      ] as const) {
        const paragraphs = overview(pair, facet, mean)
        expect(paragraphs.slice(3)).toEqual([`${words.facets.leadOne} ${sentence}`, words.closing])
        expect(paragraphs.slice(0, 3).join(' ')).not.toContain(sentence)
      }
  })
})
