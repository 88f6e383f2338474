import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '#contract/rules/address-list.ts'
import { addressFault, judgeAddresses, type AddressFacts } from '#contract/rules/addresses.ts'
import { isEmail, normalEmail } from '#contract/rules/email.ts'

/** Addresses as coaches paste them. ASSIGN-13, ASSIGN-12 */

const word = fc.stringMatching(/^[a-zé0-9]{1,8}$/)
const ending = fc.stringMatching(/^[a-z]{2,8}$/)
const address = fc.tuple(word, word, ending).map(([name, club, end]) => `${name}@${club}.${end}`)
const name = fc.constantFrom('', 'Ana', 'Ana Silva', '"Silva, Ana"', 'Silva, Ana', "O'Neill", 'Inès (capitaine)')
const separator = fc.constantFrom(',', ', ', ';', '; ', '\n', '\r\n', '\t', ';\n', ' \n ', ',\n')
const entry = fc.record({ address, name, separator })
const splitAddresses = (text: string) => entriesOf(text).map((one) => one.text)
const nothing: AddressFacts = { own: 'coach@club.test', available: 1000, allocated: new Set(), sent: new Set(), refused: new Set() }

describe('a list is taken apart', () => {
  it('at any separator, with names or without, in its order', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const text = entries.map(({ address, name, separator }) => (name ? `${name} <${address}>` : address) + separator).join('')
        expect(splitAddresses(text)).toEqual(entries.map(({ address }) => address))
      }),
    )
  })

  it.each(['@', 'a@', 'a@b.co', 'From:a@', '@?', '.', '!', '(', '"', '1. ', ', ', ': ', '-', '1', '😀', '\u0301', '"a'])(
    'however long: 14 times 100,000 characters of %j are read in 8 s',
    (unit) => {
      const begun = performance.now()
      for (const end of ['', 'b', '@', ' a@b.co', ' Ana <a@b.co>', '\nx', 'y <a@b.co>']) {
        splitAddresses(unit.repeat(100_000 / unit.length) + end)
        splitAddresses(`a@b.co,x${unit.repeat(100_000 / unit.length)}${end}`)
      }
      expect(performance.now() - begun).toBeLessThan(8000)
    },
    60_000,
  )

  it('at a space between plain addresses', () => {
    fc.assert(
      fc.property(fc.array(address), fc.constantFrom(' ', '  ', '\u00a0'), (addresses, space) => {
        expect(splitAddresses(addresses.join(space))).toEqual(addresses)
      }),
    )
  })

  it('and no address in it is lost, whatever the text', () => {
    const scrap = fc.oneof(address, name, separator, fc.constantFrom('<', '>', '"', ' ', '@', 'a@', 'mailto:'))
    fc.assert(
      fc.property(fc.array(scrap), (scraps) => {
        const pieces = splitAddresses(scraps.join(' ')).join('\n')
        const words = scraps.filter((one) => isEmail(one))
        for (const one of words) expect(pieces).toContain(one)
      }),
    )
  })

  it.each([
    ['Ana Silva', ['Ana Silva']],
    ['ana@club.test Ben', ['ana@club.test']],
    ['Ana <ana@club.test> Ben <ben@club.test>', ['ana@club.test', 'ben@club.test']],
    ['ana@club.test Ben <ben@club.test>', ['ana@club.test', 'ben@club.test']],
    ['ana@club.test <Ana@club.test>', ['Ana@club.test']],
    ["'ana@club.test' <ana@club.test>", ['ana@club.test']],
    ['Silva, Ana <ana@club.test>, ben@club.test', ['ana@club.test', 'ben@club.test']],
    ['"Silva; Ana" <ana@club.test>', ['ana@club.test']],
    ['"ana@club.test, ben@club.test"', ['ana@club.test', 'ben@club.test']],
    [' ,;\n ', []],
  ])('%j', (text, pieces) => expect(splitAddresses(text)).toEqual(pieces))
})

describe('what stands beside an address', () => {
  const space = fc.constantFrom(' ', '  ', '\t', '\u00a0')
  const mark = fc.constantFrom('1.', '12)', '(3)', '-', '*', '•', '–')
  const beside = fc.constantFrom('Ana', 'Silva', '(Jean)', 'U15', 'n°7', '06 12 34', '12/05/2010')

  it('is no entry where its line has one address, and a list mark never is', () => {
    const row = fc.record({ mark: fc.option(mark), before: fc.array(beside), address, after: fc.array(beside), space })
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const lines = rows.map(({ mark, before, address, after, space }) => [mark ?? '', ...before, address, ...after].join(space))
        expect(splitAddresses(lines.join('\n'))).toEqual(rows.map(({ address }) => address))
      }),
    )
  })

  it('is an entry of its own between several addresses', () => {
    const nope = fc.constantFrom('nope', 'ana.club.test', 'ben@')
    fc.assert(
      fc.property(address, address, fc.array(fc.oneof(address, nope)), space, (first, last, between, space) => {
        const words = [first, ...between, last]
        expect(splitAddresses(words.join(space))).toEqual(words)
        expect(splitAddresses(words.flatMap((one, at) => [`${at + 1}.`, one]).join(space))).toEqual(words)
      }),
    )
  })

  it('any addresses with any separators are read exactly', () => {
    // no mailbox begins with an apostrophe
    const any = fc.emailAddress().filter((one) => isEmail(one) && !/^['`]/.test(one))
    const between = fc.constantFrom(',', ', ', ';', ' ; ', ' ', '\t', '\n', '\r\n', '\u00a0', ' ,\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(any, between)), (given) => {
        expect(splitAddresses(given.flat().join(''))).toEqual(given.map(([one]) => one))
      }),
    )
  })

  it.each([
    ['off1@club.test off2@club.test nope', ['off1@club.test', 'off2@club.test', 'nope']],
    ['nope ana@club.test ben@club.test', ['nope', 'ana@club.test', 'ben@club.test']],
    ['nope ana@club.test, ben@club.test', ['nope', 'ana@club.test', 'ben@club.test']],
    ['nope ana@club.test', ['ana@club.test']],
    ['1. ana@club.test', ['ana@club.test']],
    ['1) ana@club.test 2) ben@club.test', ['ana@club.test', 'ben@club.test']],
    ['- ana@club.test', ['ana@club.test']],
    ['•\tana@club.test', ['ana@club.test']],
    ['1. Ana <ana@club.test>', ['ana@club.test']],
    ['ana@club.test (Jean)', ['ana@club.test']],
    ['Jean (ana@club.test)', ['ana@club.test']],
    ['Write to ana@club.test.', ['ana@club.test']],
    ['Ana <ana@club.test> (capitaine)', ['ana@club.test']],
    ['Jean Dupont\tjean@club.fr', ['jean@club.fr']],
    ['Dupont, Jean\tU15\tjean@club.fr\t06 12 34 56 78', ['jean@club.fr']],
    ['Nom\tE-mail\nJean Dupont\tjean@club.fr', ['jean@club.fr']],
    ['Name Email Position\nana@club.test', ['ana@club.test']],
    ['Licence;Adresse e-mail;Jouerait en U13\nana@club.test', ['ana@club.test']],
    ['ana @club.test ben@club.test', ['ana @club.test', 'ben@club.test']],
    // a row of cells
    ['nope, ana@club.test', ['ana@club.test']],
    ['Roy;Kida;c0@club.test;Gardien', ['c0@club.test']],
    ['Ana Souza, ana@club.test\nBen Roy; ben@club.test', ['ana@club.test', 'ben@club.test']],
    ['ana.club.test, ben@club.test', ['ana.club.test', 'ben@club.test']],
    ['ana@club.test, ben@club.test; cy@club.test', ['ana@club.test', 'ben@club.test', 'cy@club.test']],
    ['Cc: ana@club.test; ben@club.test', ['ana@club.test', 'ben@club.test']],
    // meant as addresses
    ['nope\nana@club.test', ['nope', 'ana@club.test']],
    ['- nope\n1. ana@club.test', ['- nope', 'ana@club.test']],
    ['ana.club.test ben@club.test', ['ana.club.test', 'ben@club.test']],
    ['ana.club.test\tben@club.test', ['ana.club.test', 'ben@club.test']],
    ['ana @club.test', ['ana @club.test']],
    ['1. ana@ club.test', ['ana@ club.test']],
    ['Ana <>', ['Ana <>']],
  ])('%j', (text, pieces) => expect(splitAddresses(text)).toEqual(pieces))
})

describe('the name beside an address', () => {
  const namesIn = (text: string) => entriesOf(text).map((one) => one.name)

  it.each([
    ['Roy;Kida;c0@club.test;Gardien', 'Roy Kida'],
    ['Gardien;Roy;Kida;c0@club.test', 'Roy Kida'],
    ['"Roy";"Kida";"c0@club.test";"U15"', 'Roy Kida'],
    ['Ana Souza, ana@club.test', 'Ana Souza'],
    ['Ben Roy; ben@club.test', 'Ben Roy'],
    ['12;Ben Roy;ben@club.test;;', 'Ben Roy'],
    ['"Silva, Ana";ana@club.test', 'Ana Silva'],
    ['"Silva, Ana" <ana@club.test>', 'Ana Silva'],
    ['Silva, Ana <ana@club.test>, U15', 'Ana Silva'],
    ['Dupont, Jean\tU15\tjean@club.test', 'Jean Dupont'],
    ['Full Back\tAna Souza\tana@club.test', 'Ana Souza'],
    ['Le;Minh;minh@club.test', 'Le Minh'],
    ['Kévin Gardien, k@club.test', 'Kévin Gardien'],
    ['Inès (capitaine) <ines@club.test>', 'Inès'],
    ['De : Ana Souza <ana@club.test>', 'Ana Souza'],
    ['From: Ana Souza <ana@club.test>', 'Ana Souza'],
  ])('%j: %s', (text, name) => expect(namesIn(text)).toEqual([name]))

  it.each([
    'Goalkeeper, ana@club.test',
    'ana@club.test;Milieu défensif',
    'Défenseuse <ana@club.test>',
    'ana@club.test\tGardien ou gardienne de but',
    'ana@club.test (captain)',
    'Capitaine: ana@club.test',
    'De: ana@club.test',
    'À : ana@club.test',
    'Cc:ana@club.test',
    'To: <ana@club.test>',
  ])('%j: none', (text) => expect(namesIn(text)).toEqual([undefined]))
})

describe('what is wrong with one', () => {
  it.each([
    ['ana.club.test', 'NoAt'],
    ['ana@home@club.test', 'SeveralAts'],
    ['ana silva@club.test', 'Space'],
    ['ana@club', 'NoDomain'],
    ['ana@', 'NoDomain'],
    ['@club.test', 'NoDomain'],
    ['(ana)@club.test', 'Characters'],
    [`${'a'.repeat(250)}@club.test`, 'TooLong'],
    ['ana@club.test', undefined],
  ])('%j: %s', (text, fault) => expect(addressFault(text)).toBe(fault))

  it('has no fault exactly when it is an e-mail address', () => {
    const text = fc.oneof(
      address,
      fc.string(),
      fc.tuple(fc.string(), fc.string()).map((parts) => parts.join('@')),
    )
    fc.assert(fc.property(text, (text) => (addressFault(text) === undefined) === (isEmail(text) && text.length <= 254)))
  })
})

describe('a list is judged', () => {
  const few = fc.constantFrom(
    'ana@club.test',
    'ANA@club.test',
    'ben@club.test',
    'Cy@Club.Test',
    'coach@club.test',
    'dee@club.test',
    'nobody',
    'x@',
  )
  const facts = fc.record({
    own: fc.constant('coach@club.test'),
    available: fc.nat(4),
    allocated: fc.subarray(['ben@club.test', 'coach@club.test']).map((some) => new Set(some)),
    sent: fc.subarray(['cy@club.test', 'ben@club.test']).map((some) => new Set(some)),
    refused: fc.subarray(['dee@club.test', 'ben@club.test']).map((some) => new Set(some)),
  })

  it('entry by entry: no account twice, and no more than there are tokens, in the order of the list', () => {
    fc.assert(
      fc.property(fc.array(few), facts, (pieces, facts) => {
        const judged = judgeAddresses(pieces, facts)
        expect(judged.map(({ text }) => text)).toEqual(pieces)
        const wanted = judged.filter(({ verdict }) => verdict === 'ready' || verdict === 'noToken')
        expect(new Set(wanted.map(({ account }) => account)).size).toBe(wanted.length)
        expect(wanted.map(({ verdict }) => verdict)).toEqual(wanted.map((_, at) => (at < facts.available ? 'ready' : 'noToken')))
        for (const { text, account, verdict, fault } of judged) {
          expect(verdict === 'invalid').toBe(!isEmail(text))
          expect(fault === undefined).toBe(isEmail(text))
          if (verdict === 'ready') expect([facts.own, ...facts.allocated, ...facts.sent, ...facts.refused]).not.toContain(account)
        }
      }),
    )
  })

  it('in the same way after part of it was sent: those entries are sent and need no token', () => {
    fc.assert(
      fc.property(fc.array(few), facts, fc.nat(4), (pieces, facts, count) => {
        const before = judgeAddresses(pieces, facts)
        const gone = before.filter(({ verdict }) => verdict === 'ready').slice(0, count)
        const sent = new Set([...facts.sent, ...gone.map(({ account }) => account)])
        const allocated = new Set([...facts.allocated, ...gone.map(({ account }) => account)])
        const after = judgeAddresses(pieces, { ...facts, available: facts.available - gone.length, allocated, sent })
        expect(after.map(({ verdict }) => verdict)).toEqual(before.map((one) => (gone.includes(one) ? 'sent' : one.verdict)))
      }),
    )
  })

  it('with the reason against each entry', () => {
    const list = [
      'ana@club.test',
      'Ana@Club.test',
      'coach@CLUB.test',
      'ben@club.test',
      'nobody',
      'cy@club.test',
      'eve@club.test',
      'dee@club.test',
    ]
    const judged = judgeAddresses(list, {
      ...nothing,
      available: 1,
      allocated: new Set(['ben@club.test']),
      sent: new Set(['cy@club.test']),
      refused: new Set(['eve@club.test']),
    })
    expect(judged.map(({ verdict }) => verdict)).toEqual([
      'ready',
      'duplicate',
      'own',
      'allocated',
      'invalid',
      'sent',
      'refused',
      'noToken',
    ])
  })

  it('two spellings of an address are one account', () => {
    expect(normalEmail(' ANA@Club.test ')).toBe(normalEmail('ana@club.test'))
  })
})
