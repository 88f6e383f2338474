// Served in place of sw.js, this worker takes itself and every cached file away: see sw/README.md.
// Answers are in IndexedDB and stay. Open pages are not reloaded; the next load comes from the network.
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  const removal = async () => {
    const names = await caches.keys()
    await Promise.all(names.map((name) => caches.delete(name)))
    await self.registration.unregister()
  }
  event.waitUntil(removal())
})
