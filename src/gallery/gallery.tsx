import './gallery.css'
import { Suspense, useId } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { rowOf } from '#contract/languages.ts'
import { CHOICES, searchOf, type Conditions } from './conditions.ts'
import { pieces, type Piece } from './pieces.ts'
import type { StateName } from './states.ts'

/** Every component of `ui` and `parts` in its states. */
export function Gallery({ conditions }: { conditions: Conditions }) {
  const { t } = useTranslation('gallery')
  return (
    <main>
      <Page title={t('GalleryTitle')} intro={<p>{t('GalleryIntro')}</p>} width="wide">
        <Switches conditions={conditions} />
        <nav aria-label={t('Pieces')} className="gallery-pieces">
          <ul>
            {pieces.map(({ file }) => (
              <li key={file}>
                <a href={`#${file}`}>{file}</a>
              </li>
            ))}
          </ul>
        </nav>
        {pieces.map((piece) => (
          <PieceSection key={piece.file} {...piece} />
        ))}
      </Page>
    </main>
  )
}

function Switches({ conditions }: { conditions: Conditions }) {
  const { t } = useTranslation('gallery')
  const names = Object.keys(CHOICES) as (keyof Conditions)[] // the keys of Conditions
  return names.map((name) => (
    <nav key={name} aria-label={t(`Switch_${name}`)} className="gallery-switch">
      {CHOICES[name].map((choice) => (
        <a key={choice} href={searchOf({ ...conditions, [name]: choice })} aria-current={conditions[name] === choice ? 'true' : undefined}>
          {name === 'lang' ? rowOf(choice).name : t(`Switch_${name}_${choice}`)}
        </a>
      ))}
    </nav>
  ))
}

function PieceSection({ file, states }: Piece) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="gallery-piece">
      <h2 id={id}>
        <span id={file} className="gallery-anchor" />
        {file}
      </h2>
      {(Object.keys(states) as StateName[]).map((name) => (
        <PieceState key={name} name={name} Show={states[name]} />
      ))}
    </section>
  )
}

function PieceState({ name, Show }: { name: StateName; Show: Piece['states'][StateName] }) {
  const { t } = useTranslation('gallery')
  return (
    <div className="gallery-state">
      <h3>{t(`State${name}`)}</h3>
      <div className="gallery-shown">
        <Suspense>{Show && <Show />}</Suspense>
      </div>
    </div>
  )
}
