// FILES is written before this line when the yardstick is built
self.addEventListener('install', (event) => event.waitUntil(caches.open('files').then((cache) => cache.addAll(FILES))))
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
self.addEventListener('fetch', (event) => event.respondWith(caches.match(event.request).then((hit) => hit ?? fetch(event.request))))
