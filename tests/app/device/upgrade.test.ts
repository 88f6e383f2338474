import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { readQuestionnaire } from '#app/device/store/idb.ts'

const key = { userId: 'ada', instanceId: 'one' }
const sections = [{ name: 'Section1', type: 'ipsative', sectionOptions: [], questions: [] }]

/** The form of the first release: the questions in the instance's own row. */
function makeFirstForm(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('touchline', 10)
    request.addEventListener('upgradeneeded', () => {
      const make = (name: string, keyPath: string | string[]) => request.result.createObjectStore(name, { keyPath })
      make('instances', ['userId', 'instanceId'])
      for (const name of ['answers', 'receipts', 'late']) make(name, ['userId', 'instanceId', 'questionId'])
      make('operations', ['userId', 'instanceId'])
      make('reads', ['userId', 'key'])
      make('device', 'key')
    })
    request.addEventListener('error', () => reject(request.error ?? new Error('not made')))
    request.addEventListener('success', () => {
      const database = request.result
      const transaction = database.transaction(['instances', 'answers'], 'readwrite')
      transaction
        .objectStore('instances')
        .put({ ...key, contentVersion: 'v1', definitions: { en: sections, fr: sections }, finish: 'save' })
      transaction.objectStore('answers').put({ ...key, questionId: 'q1', sectionName: 'Section1', value: { q1: 'A' }, edit: 'e', base: 0 })
      transaction.addEventListener('complete', () => {
        database.close()
        resolve()
      })
    })
  })
}

it('what the first release stored on a device is there after the update: answers, questions and an unfinished Submit', async () => {
  await makeFirstForm()
  const found = await readQuestionnaire(key, 'fr')
  expect(found?.sections).toEqual(sections)
  expect(found?.language).toBe('fr')
  expect(found?.instance).toMatchObject({ ...key, languages: ['en', 'fr'], finish: 'save' })
  expect(found?.instance).not.toHaveProperty('definitions')
  expect(found?.rows.answers).toMatchObject([{ questionId: 'q1', value: { q1: 'A' } }])
})
