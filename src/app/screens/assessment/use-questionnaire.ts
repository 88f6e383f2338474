import { useEffect, useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { serverGroups, type InstanceKey } from '#app/offline/device-store.ts'
import { deviceId } from '#app/offline/db.ts'
import { asReady, fetchInstance, storedInstance, type ReadyInstance } from '#app/offline/instances.ts'
import { onSynced, sendDirectly, sendNow, sendSoon } from '#app/offline/outbox.ts'
import { ScreenAnswers } from '#app/offline/answers.ts'
import type { Instance } from '#contract/instances.ts'

/** What the test screen has: nothing yet, the questionnaire, or why there is none. §2 /test */
export type Questionnaire =
  | { state: 'loading' }
  | { state: 'ready'; ready: ReadyInstance; answers: ScreenAnswers }
  | { state: 'not-found' | 'not-on-device' | 'failed' }

/**
 * Opens an instance from the device and from the server at once, whichever answers first; the server's groups are
 * merged into the rows, never over what was not sent (ruling 15). Offline, the device alone is enough (ruling 2).
 */
export function useQuestionnaire(userId: string | undefined, instanceId: string, language: string): Questionnaire {
  const [questionnaire, setQuestionnaire] = useState<Questionnaire>({ state: 'loading' })

  useEffect(() => {
    if (userId === undefined) return
    const key = { userId, instanceId }
    const opened = open(key, language, setQuestionnaire)
    return () => opened.close()
  }, [userId, instanceId, language])

  return questionnaire
}

function open(key: InstanceKey, language: string, show: (questionnaire: Questionnaire) => void) {
  let isOpen = true
  let ready: ReadyInstance | undefined
  let isReadable = true
  let isStored = false
  const answers = new ScreenAnswers(key, {
    saved: () => (isStored ? sendSoon() : void keepNow()),
    notSaved: async (rows) => sendDirectly(key, ready?.instance.contentVersion ?? '', await deviceId(), rows),
  })
  const look = async () => {
    const stored = await storedInstance(key, language).catch(() => {
      isReadable = false
    })
    if (!stored || !isOpen) return false
    isStored = true
    await answers.reload()
    // the same words are the same objects, so that a sync paints nothing that did not change
    const isSame = ready?.language === stored.language && ready.instance.contentVersion === stored.instance.contentVersion
    ready = isSame && ready ? { ...stored, sections: ready.sections } : stored
    show({ state: 'ready', ready, answers })
    return true
  }
  const stop = onSynced((changed) => {
    if (changed.userId === key.userId && changed.instanceId === key.instanceId) void look()
  })

  /** The disk takes answers again: what they belong to must be there too, or nobody sends them. */
  async function keepNow(): Promise<void> {
    await fetchInstance(key.userId, key.instanceId, language).catch(() => undefined)
    await look()
    sendSoon()
  }

  async function start(): Promise<void> {
    const fetched = fetchInstance(key.userId, key.instanceId, language)
    fetched.catch(() => undefined)
    await look()
    try {
      const instance = await fetched
      if (isReadable && (await look())) return
      if (!isOpen) return
      const alone = fromServerAlone(key.userId, language, instance, answers)
      ready = alone.ready
      show(alone)
    } catch (error) {
      if (isOpen && !ready) show({ state: problemOf(error) })
    }
  }

  void start()
  void sendNow()
  return {
    close() {
      isOpen = false
      stop()
      answers.close()
    },
  }
}

/** The device cannot be written (private mode, a full disk): the questionnaire still opens, and says "not saved on this device". */
function fromServerAlone(userId: string, language: string, instance: Instance, answers: ScreenAnswers) {
  answers.show(
    serverGroups(instance).map(({ questionId, sectionName, value, revision }) => ({
      questionId,
      sectionName,
      value,
      edit: `server-${revision}`,
      base: revision,
    })),
  )
  return { state: 'ready' as const, ready: asReady(userId, language, instance), answers }
}

/** Offline, what was never opened here is not "not found". */
function problemOf(error: unknown): 'not-found' | 'not-on-device' | 'failed' {
  if (!isApiError(error)) return 'failed'
  if (error.code === 'NOT_FOUND') return 'not-found'
  return error.kind === 'HTTP' ? 'failed' : 'not-on-device'
}
