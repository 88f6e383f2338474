import { describe, expect, it } from 'vitest'
import { nameInReport } from '#contract/rules/report-letters.ts'

describe('a name in a report (RESULTS-20)', () => {
  it.each([
    'Zoë O’Connor-Łukasz',
    'Nguyễn Thị Ánh',
    'Şığ İpek',
    'Əliyev',
    'Ọlá Ọ\u0300',
    'Kāne ʻOkina',
    'Đorđe Ștefan Čapek',
    'Δημήτρης Άννα',
    'Ольга Щербакова',
    'Їжак Қайрат',
    'Jr. 3rd (Bo) & Co',
    '',
  ])('%s is printed', (name) => {
    expect(nameInReport(name)).toBe(name)
  })

  it.each(['محمد', 'דוד', '李雷', '佐藤 さくら', '김민준', 'สมชาย', 'अर्जुन', 'Արամ', 'გიორგი', 'አበበ', '👩‍👩‍👧', 'Léa 🦊', 'Zoë محمد', '\ue000'])(
    '%s is left out',
    (name) => {
      expect(nameInReport(name)).toBeUndefined()
    },
  )

  it.each([
    ['Zo\u00ade\u0308', 'Zoë'],
    ['\u200bA\u200d\u200c\ufeff\u2060', 'A'],
    ['\u202eAnna\u202c \ufe0f\u034f', 'Anna'],
    ['A\u00a0B\t\nC\0', 'A B C'],
    ['\ud800A\udc00', 'A'],
    ['\u200b\u00ad', ''],
  ])('%j is printed as %s', (name, printed) => {
    expect(nameInReport(name)).toBe(printed)
  })
})
