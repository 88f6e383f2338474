import { format } from 'date-fns/format'
import { fr } from 'date-fns/locale/fr'
import type { Language } from '#contract/languages.ts'
import { assessmentWords, currentVersionOf, resultNames, resultText } from '#server/content/content.ts'
import { isCloseCall, strengthOf } from '#server/instances/scoring.ts'
import screenEn from '#locales/en/assessment.json' with { type: 'json' }
import screenFr from '#locales/fr/assessment.json' with { type: 'json' }
import ownEn from './sample-report.en.json' with { type: 'json' }
import ownFr from './sample-report.fr.json' with { type: 'json' }

/** The sheets' own words; all others come from the results screen and the content. */
const own = { en: ownEn, fr: ownFr }
const screens = { en: screenEn, fr: screenFr }

/** An invented result, in the form that scoring gives it. */
const sample = {
  lsi: 'play',
  mbti: 'ENFP',
  completed: new Date(2026, 2, 14),
  /** choices for the first pole, of the 11 pairs of each axis */
  axes: [
    { first: 'E', second: 'I', forFirst: 9 },
    { first: 'S', second: 'N', forFirst: 3 },
    { first: 'T', second: 'F', forFirst: 5 },
    { first: 'J', second: 'P', forFirst: 1 },
  ],
  modes: { experience: 39, do: 35, idea: 20, watch: 26 },
  facets: [
    { id: 'feedback', mean: 4.25 },
    { id: 'focus', mean: 1.75 },
  ],
} as const
const PAIRS = 11

// --action and --action-strong of tokens.css
const green = '#0f5438'
const darkGreen = '#0b462e'

/** The two sheets as one HTML document. */
export function documentOf(language: Language, style: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escape(own[language].title)}</title>
<style>${style}</style></head><body><main>${firstSheet(language)}${secondSheet(language)}</main></body></html>`
}

function firstSheet(language: Language): string {
  const [screen, words] = [screens[language], own[language]]
  const { name } = assessmentWords('touchline-profile', language)
  const { section1Result, section2Label } = namesOf(language)
  const text = textOf(language)
  const person = [words.person, format(sample.completed, 'do MMM yyyy', language === 'fr' ? { locale: fr } : {})].join(' · ')
  return sheet(
    language,
    1,
    `<header class="band cover">${grass(66)}<p class="product">${name}</p>
<h1>${escape(section1Result)} ${section2Label}</h1><p>${escape(person)}</p>${badge(words.badge)}</header>
<div class="body">
<section><h2>${escape(screen.ResultsPreferencesTitle)}</h2><p class="soft">${escape(screen.ResultsPreferencesText)}</p>${bars(language)}</section>
<section><h2>${escape(screen.ResultsModesTitle)}</h2>${pitch(language)}<p class="soft">${escape(screen.ResultsModesText)}</p></section>
<section><h2>${escape(section1Result)}</h2><p>${escape(text.lsiType.content)}</p></section>
<section><h2>${section2Label}</h2><p>${escape(text.mbtiType.content)}</p></section>
</div>`,
  )
}

function secondSheet(language: Language): string {
  const [screen, words] = [screens[language], own[language]]
  const { characterOverview, sportsPerformers } = textOf(language)
  const paragraphs = characterOverview.content.split('\n').map((paragraph) => `<p>${escape(paragraph)}</p>`)
  const performers = sportsPerformers.content.map(({ sportPerson }) => `<li>${escape(sportPerson)}</li>`)
  return sheet(
    language,
    2,
    `<header class="band next">${grass(36)}<h2>${escape(screen.ResultsOverviewTitle)}</h2>${badge(words.badge)}</header>
<div class="body story"><div class="text">${paragraphs.join('')}</div>
<aside><h2>${escape(screen.ResultsPerformersTitle)}</h2><p class="soft">${escape(screen.ResultsPerformersText)}</p>
<ul class="performers">${performers.join('')}</ul>
<h2>${escape(screen.ResultsLimitsTitle)}</h2><p class="soft">${escape(screen.ResultsLimitsText)}</p>
<p class="soft">${escape(words.limits)}</p></aside></div>`,
  )
}

function sheet(language: Language, page: number, content: string): string {
  const words = own[language]
  const place = words.page.replace('{{page}}', String(page)).replace('{{pages}}', '2')
  return `<div class="sheet">${content}<footer><p>${escape(words.note)}</p><p>${escape(place)}</p></footer></div>`
}

function namesOf(language: Language) {
  return resultNames(currentVersionOf('touchline-profile'), sample, language)
}

function textOf(language: Language) {
  return resultText(currentVersionOf('touchline-profile'), sample, language)
}

const badge = (word: string) => `<p class="badge">${escape(word)}</p>`

/** Mown stripes, and in chalk the touchline, the halfway line and the centre circle. `height` in mm */
function grass(height: number): string {
  const stripes = [0, 2, 4, 6].map((place) => `<rect x="${place * 26.25}" width="26.25" height="${height + 1}" fill="${green}"/>`)
  return `<svg aria-hidden="true" viewBox="0 0 210 ${height}" preserveAspectRatio="none"><rect width="210" height="${height + 1}" fill="${darkGreen}"/>${stripes.join('')}
<g fill="none" stroke="#4a8a68" stroke-width=".9"><path d="M0 9.4 210 8.2M137 9v${height}"/><circle cx="137" cy="${height + 3}" r="${height * 0.52}"/></g></svg>`
}

function bars(language: Language): string {
  const screen = screens[language]
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const strengths = { slight: screen.ResultsStrengthSlight, clear: screen.ResultsStrengthClear, strong: screen.ResultsStrengthStrong }
  const rows = sample.axes.map(({ first, second, forFirst }) => {
    const share = Math.round((forFirst / PAIRS) * 100)
    const isFirst = share > 50
    const pole = (letter: 'E' | 'I' | 'S' | 'N' | 'T' | 'F' | 'J' | 'P', isLeading: boolean) =>
      `<span${isLeading ? ' class="leading"' : ''}>${escape(screen[`ResultsPole${letter}`])} (${letter})</span>`
    const larger = Math.max(forFirst, PAIRS - forFirst)
    const strength = strengths[strengthOf(larger)]
    const word = isCloseCall(larger) ? screen.ResultsStrengthClose.replace('{{strength}}', strength) : strength
    return `<li>${pole(first, isFirst)} <span>${percent.format(share / 100)}</span> <span class="strength">${escape(word)}</span>
${pole(second, !isFirst)} <span>${percent.format(1 - share / 100)}</span>
<svg aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none"><rect width="100" height="6" fill="#dfe6dd"/>
<rect x="${isFirst ? 0 : share}" width="${isFirst ? share : 100 - share}" height="6" fill="${green}"/><rect x="49.6" width=".8" height="6" fill="#f6b73c"/></svg></li>`
  })
  return `<ul class="bars">${rows.join('')}</ul>`
}

/** The shape of the four modes as on the results screen: 12 at the centre, 48 at the end of an axis, 30 on the circle. */
function pitch(language: Language): string {
  const screen = screens[language]
  const { experience, do: doing, idea, watch } = sample.modes
  const far = (sum: number) => ((sum - 12) / 36) * 104
  const label = (x: number, y: number, anchor: string, name: string, sum: number) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${escape(name)} <tspan font-weight="700">${sum}</tspan></text>`
  return `<svg class="pitch" role="img" aria-label="${escape(own[language].pitch)}" viewBox="-172 -122 344 244">
<rect x="-170" y="-120" width="340" height="240" rx="3" fill="#e1eee5"/><rect y="-120" width="170" height="120" fill="${green}" opacity=".12"/>
<g fill="none" stroke="#6a796f" stroke-width="1.5"><rect x="-170" y="-120" width="340" height="240" rx="3"/><rect x="-170" y="-60" width="38" height="120"/>
<rect x="132" y="-60" width="38" height="120"/><path d="M0-120V120"/><path d="M-170 0H170" stroke-dasharray="4 4"/><circle r="52"/></g>
<path d="M0 ${-far(experience)}L${far(doing)} 0 0 ${far(idea)} ${-far(watch)} 0Z" fill="${green}" fill-opacity=".3" stroke="${green}" stroke-width="2.5"/>
<circle cx="${((doing - watch) / 36) * 104}" cy="${((idea - experience) / 36) * 104}" r="6" fill="#fff" stroke="#14211a" stroke-width="3"/>
<g fill="#14211a">${label(8, -106, 'start', screen.ResultsModeExperience, experience)}${label(164, -8, 'end', screen.ResultsModeDo, doing)}
${label(8, 114, 'start', screen.ResultsModeIdea, idea)}${label(-164, -8, 'start', screen.ResultsModeWatch, watch)}
<text x="164" y="-106" text-anchor="end" font-weight="700">${escape(namesOf(language).section1Result)}</text></g></svg>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
