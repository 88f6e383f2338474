import { renderToStaticMarkup } from 'react-dom/server'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { nameParts, plainName } from '#contract/rules/assessment-name.ts'

const shown = (name: string) => renderToStaticMarkup(<AssessmentName name={name} />)

describe('an assessment name', () => {
  it('shows superscript and subscript', () => {
    expect(shown('Touchline<sup>®</sup> H<sub>2</sub>O')).toBe('Touchline<sup>®</sup> H<sub>2</sub>O')
  })

  it('may nest them', () => {
    expect(nameParts('a<sup>b<sub>c</sub></sup>')).toEqual(['a', { tag: 'sup', children: ['b', { tag: 'sub', children: ['c'] }] }])
  })

  it('as plain text has no such tags', () => {
    expect(plainName('Profile<sup>™</sup> <b>1</b>')).toBe('Profile™ <b>1</b>')
  })

  it('as plain text keeps raised and lowered figures by their Unicode characters', () => {
    expect(plainName('Touchline Profile<sup>1</sup>')).toBe('Touchline Profile¹')
    expect(plainName('H<sub>2</sub>O<sup>(12)</sup>')).toBe('H₂O⁽¹²⁾')
    expect(plainName('a<sup>2nd</sup>')).toBe('a2nd')
  })

  it('as plain text turns a raised TM or SM into its sign', () => {
    expect(plainName('IMPACT<sup>TM</sup>')).toBe('IMPACT™')
    expect(plainName('IMPACT<sup>SM</sup> 2')).toBe('IMPACT℠ 2')
    expect(plainName('a<sub>TM</sub>')).toBe('aTM')
  })

  it('leaves a tag without its partner as text', () => {
    expect(nameParts('a<sup>b')).toEqual(['a<sup>b'])
    expect(nameParts('a</sub>b')).toEqual(['a</sub>b'])
    expect(nameParts('<sup>a<sub>b</sup>c')).toEqual(['<sup>a<sub>b</sup>c'])
    expect(nameParts('<sup>a<sub>b</sub>')).toEqual(['<sup>a', { tag: 'sub', children: ['b'] }])
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<sup onclick="alert(1)">x</sup>',
    '<sup/onload=alert(1)>x</sup>',
    '<SUP>x</SUP>',
    '<sup >x</sup >',
    '<sup\n>x</sup>',
    '<svg><sup></svg>',
    '<a href="javascript:alert(1)">x</a>',
    '&lt;script&gt;',
    '<sup><script>alert(1)</script></sup>',
    '<<sup>>x<</sup>>',
    '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
    '<!--<sup>--></sup><img src=x>',
    '\u202e<sup>x</sup>\u0000',
  ])('shows %j as text', (payload) => {
    const markup = shown(payload).replaceAll(/<\/?su[bp]>/g, '')
    expect(markup).not.toMatch(/[<>](?!&)/)
  })

  it('loses no character and lets no other tag through', () => {
    const piece = fc.oneof(fc.constantFrom('<sup>', '</sup>', '<sub>', '</sub>', '<', '>', '/', 'sup', '<i>', '&amp;'), fc.string())
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const name = pieces.join('')
        const tags = JSON.stringify(nameParts(name)).match(/"tag"/g)?.length ?? 0
        const removed = name.length - plainName(name).length
        expect(removed).toBe(tags * '<sup></sup>'.length)
        expect(shown(name).replaceAll(/<\/?su[bp]>/g, '')).not.toMatch(/[<>]/)
      }),
    )
  })
})
