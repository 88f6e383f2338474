import { expect, it } from 'vitest'

/** Every component file of `ui` and `parts` is shown in the gallery: by a file of the same path (src/gallery). */

const pathsOf = (files: object, folder: string) => Object.keys(files).map((path) => path.replace(`../../src/${folder}/`, ''))
const components = pathsOf(import.meta.glob('../../src/app/{ui,parts}/**/*.tsx'), 'app')
const shown = pathsOf(import.meta.glob('../../src/gallery/{ui,parts}/**/*.tsx'), 'gallery')

it('every component has an entry in the gallery, and every entry a component', () => {
  expect(components).not.toEqual([])
  expect(shown).toEqual(components)
})
