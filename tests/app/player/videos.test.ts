import { describe, expect, it } from 'vitest'
import { validVideos } from '#app/screens/player/videos.ts'

describe('videos of a past assessment (HOME-11)', () => {
  it('accepts a string or an object with url and thumbnail', () => {
    expect(validVideos(['https://video.test/1', { url: 'https://video.test/2', thumbnail: 'https://video.test/2.jpg' }])).toEqual([
      { url: 'https://video.test/1', thumbnail: undefined, title: undefined },
      { url: 'https://video.test/2', thumbnail: 'https://video.test/2.jpg', title: undefined },
    ])
  })

  it('accepts a path of our own origin', () => {
    expect(validVideos([{ url: '/media/sample/video.html', thumbnail: '/media/sample/video.svg' }])).toHaveLength(1)
  })

  it.each([
    [''],
    ['not an address'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['ftp://video.test/1'],
    ['//elsewhere.test/1'],
    [String.raw`/\elsewhere.test/1`],
    [null],
    [undefined],
    [7],
    [[]],
    [{}],
    [{ url: 7 }],
    [{ thumbnail: 'https://video.test/1.jpg' }],
  ])('skips %j', (entry) => {
    expect(validVideos([entry, 'https://video.test/good'])).toEqual([
      { url: 'https://video.test/good', thumbnail: undefined, title: undefined },
    ])
  })

  it('keeps the link when only the thumbnail is invalid', () => {
    expect(validVideos([{ url: 'https://video.test/1', thumbnail: 'javascript:alert(1)' }])).toEqual([
      { url: 'https://video.test/1', thumbnail: undefined, title: undefined },
    ])
  })

  it('accepts a title that is text, and omits any other', () => {
    const titles = validVideos([
      { url: '/1', title: 'How to read your result' },
      { url: '/2', title: ' ' },
      { url: '/3', title: 7 },
    ]).map(({ title }) => title)
    expect(titles).toEqual(['How to read your result', undefined, undefined])
  })

  it('is empty for no list', () => {
    expect(validVideos(null)).toEqual([])
    expect(validVideos(undefined)).toEqual([])
  })
})
