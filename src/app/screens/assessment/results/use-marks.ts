import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { sendSoon } from '#app/device/lazy.ts'
import { fetchMarks, markParagraph, onMarksChanged, readMarks, type Marks } from '#app/device/paragraph-marks.ts'
import type { Mark } from '#contract/rules/paragraph-marks.ts'

export interface MarksOfResult extends Marks {
  /** it is not known yet whether the last tap is stored */
  isWriting: boolean
  set: (paragraph: string, mark: Mark | null) => void
}

/** The player's marks on the paragraphs of a result; undefined until they are read. RESULTS-19 */
export function useMarks(instanceId: string): MarksOfResult | undefined {
  const userId = useReaderId() ?? ''
  const client = useQueryClient()
  const queryKey = ['Device', 'marks', instanceId, userId]
  const { data } = useQuery({
    queryKey,
    queryFn: () => readMarks({ userId, instanceId }),
    retry: false,
    enabled: userId !== '',
  })

  useEffect(() => onMarksChanged(() => void client.invalidateQueries({ queryKey: ['Device', 'marks'] })), [client])
  useEffect(() => {
    if (userId === '') return
    fetchMarks({ userId, instanceId })
      .catch((error: unknown) => console.warn('Marks from other devices could not be read', error))
      // those that an earlier page could not send
      .finally(() => void sendSoon())
  }, [userId, instanceId])

  const [writing, setWriting] = useState(0)

  async function set(paragraph: string, mark: Mark | null): Promise<void> {
    // shown at once, however long the disk takes
    client.setQueryData<Marks>(queryKey, (shown) => {
      const others = (shown?.marks ?? []).filter((one) => one.paragraph !== paragraph)
      return shown && { ...shown, marks: [...others, { paragraph, mark, at: Date.now(), isSent: false }] }
    })
    setWriting((taps) => taps + 1)
    await markParagraph({ userId, instanceId }, paragraph, mark)
    setWriting((taps) => taps - 1)
    await sendSoon()
  }

  return data && { ...data, isWriting: writing > 0, set: (paragraph, mark) => void set(paragraph, mark) }
}
