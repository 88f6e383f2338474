import { describe, expect, it } from 'vitest'
import { definitionOf } from '#server/content/content.ts'
import { AXES, FACETS, MODES } from '#server/content/definition.ts'
import { VERSIONS } from './support.ts'

describe.each(VERSIONS)('the structure of %s (SCORING-2 to SCORING-6)', (version) => {
  const { groups, pairs, statements } = definitionOf(version)

  it('has 12 ranking groups, 44 pairs and 20 agreement items, each with an id of its own', () => {
    expect([groups.length, pairs.length, statements.length]).toEqual([12, 44, 20])
    expect(new Set([...groups, ...pairs, ...statements].map(({ id }) => id)).size).toBe(76)
  })

  it('shows every mode once in a group and three times in each position', () => {
    for (const { modes } of groups) expect([...modes].sort()).toEqual([...MODES].sort())
    for (const position of [0, 1, 2, 3])
      for (const mode of MODES) expect(groups.filter(({ modes }) => modes[position] === mode)).toHaveLength(3)
  })

  it('lets every mode follow every other equally often', () => {
    const neighbours = groups.flatMap(({ modes }) => [0, 1, 2].map((at) => `${modes[at]} ${modes[at + 1]}`))
    expect(new Set(neighbours).size).toBe(12)
    for (const one of neighbours) expect(neighbours.filter((other) => other === one)).toHaveLength(3)
  })

  it.each(AXES)('asks 11 pairs on $axis, each pole first in 5 or 6 of them', ({ axis, first, second }) => {
    const own = pairs.filter((pair) => pair.axis === axis)
    expect(own).toHaveLength(11)
    for (const { A, B } of own) expect([A, B].sort()).toEqual([first, second].sort())
    expect([5, 6]).toContain(own.filter(({ A }) => A === first).length)
  })

  it('puts the axes’ first poles first in exactly half of all pairs', () => {
    const firsts = new Set<string>(AXES.map(({ first }) => first))
    expect(pairs.filter(({ A }) => firsts.has(A))).toHaveLength(22)
  })

  it('never asks about the same axis or the same facet twice in a row', () => {
    for (const [at, { axis }] of pairs.entries()) expect(pairs[at + 1]?.axis).not.toBe(axis)
    for (const [at, { facet }] of statements.entries()) expect(statements[at + 1]?.facet).not.toBe(facet)
  })

  it.each(FACETS)('asks 4 statements on %s, half of them reverse-keyed', (facet) => {
    expect(
      statements
        .filter((one) => one.facet === facet)
        .map(({ reversed }) => reversed)
        .sort(),
    ).toEqual([false, false, true, true])
  })
})
