/** The same questionnaire in React alone: a component with its own state per question, and IndexedDB without a library. */
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Option, Question, Section } from '#contract/rules/questionnaire.ts'

/** Inserted by the build. */
declare const SECTIONS: Section[]

const opening = new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open('plain-react', 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore('answers', { keyPath: 'question' }))
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB did not open')))
})

async function keep(question: string, value: Record<string, string>, onKept: (status: string) => void) {
  const database = await opening
  const transaction = database.transaction('answers', 'readwrite', { durability: 'strict' })
  transaction.objectStore('answers').put({ question, value })
  transaction.addEventListener('complete', () => onKept('Saved'))
  transaction.addEventListener('error', () => onKept('Not saved'))
}

function App() {
  const [status, setStatus] = useState('')
  return (
    <>
      <form>
        {SECTIONS.map((section) => (
          <section key={section.name}>
            <h2>{section.name}</h2>
            {section.questions.map((question) => (
              <OneQuestion key={question.id} question={question} options={section.sectionOptions} onKept={setStatus} />
            ))}
          </section>
        ))}
      </form>
      <output>{status}</output>
    </>
  )
}

interface OneQuestionProps {
  question: Question
  options: Option[]
  onKept: (status: string) => void
}

function OneQuestion({ question, options, onKept }: OneQuestionProps) {
  const [value, setValue] = useState<Record<string, string>>({})
  const isRanking = question.subQuestions.length > 0
  const items = isRanking ? question.subQuestions : [{ id: question.id, question: '', options: [] }]
  const choices = question.options.length > 0 ? question.options : options

  function choose(item: string, chosen: string) {
    // a rating belongs to one statement of its group
    const next = Object.fromEntries(Object.entries(value).filter(([, used]) => used !== chosen))
    next[item] = chosen
    setValue(next)
    void keep(question.id, next, onKept)
  }

  return (
    <div className="question">
      <h3>{question.question}</h3>
      {items.map((item) => (
        <div key={item.id} className="row">
          {item.question}
          {choices.map((choice) => (
            <label key={choice.value}>
              <input
                type="radio"
                name={item.id}
                value={choice.value}
                checked={value[item.id] === choice.value}
                disabled={isRanking && value[item.id] !== choice.value && Object.values(value).includes(choice.value)}
                onChange={() => choose(item.id, choice.value)}
              />
              {choice.label}
            </label>
          ))}
        </div>
      ))}
    </div>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
void navigator.serviceWorker.register('/worker.js')
