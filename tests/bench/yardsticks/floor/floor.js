const opening = new Promise((resolve, reject) => {
  const request = indexedDB.open('floor', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('answers', { keyPath: 'question' })
  request.onsuccess = () => resolve((database = request.result))
  request.onerror = () => reject(request.error)
})
let database
const status = document.querySelector('output')

document.forms[0].addEventListener('change', async ({ target }) => {
  const group = target.closest('.question')
  const value = {}
  for (const radio of group.querySelectorAll(':checked')) {
    // a rating belongs to one statement of its group
    if (radio !== target && radio.value === target.value) radio.checked = false
    else value[radio.name] = radio.value
  }
  const taken = group.classList.contains('ranking') ? Object.entries(value) : []
  if (taken.length > 0) {
    for (const radio of group.querySelectorAll('input'))
      radio.disabled = taken.some(([name, used]) => used === radio.value && name !== radio.name)
  }
  const transaction = (database ?? (await opening)).transaction('answers', 'readwrite', { durability: 'strict' })
  transaction.objectStore('answers').put({ question: group.id, value })
  transaction.oncomplete = () => (status.value = 'Saved')
  transaction.onerror = () => (status.value = 'Not saved')
})

document.querySelector('fieldset').disabled = false
navigator.serviceWorker.register('/worker.js')
