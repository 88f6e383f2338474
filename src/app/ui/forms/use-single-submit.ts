import { useRef, useState } from 'react'

interface SingleSubmit {
  isUnderWay: boolean
  /** does nothing while an earlier one is under way */
  submit: (run: () => Promise<void>) => Promise<void>
}

/** One submit of a form at a time. */
export function useSingleSubmit(): SingleSubmit {
  // a ref: a second Enter may come before the next render
  const isRunning = useRef(false)
  const [isUnderWay, setIsUnderWay] = useState(false)
  return {
    isUnderWay,
    submit: async (run) => {
      if (isRunning.current) return
      isRunning.current = true
      setIsUnderWay(true)
      try {
        await run()
      } finally {
        isRunning.current = false
        setIsUnderWay(false)
      }
    },
  }
}
