import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
// headers that depend on the body, the time or the address of one reply
const OF_ONE_REPLY =
  /^(content-|date|etag|last-modified|connection|keep-alive|transfer-encoding|x-request-id|cache-control|accept-ranges|vary)/

/** Serves a yardstick with the headers of the product's page and the same compression. */
export async function serveFolder(folder: string, productPage: string): Promise<string> {
  const headers = [...(await fetch(productPage)).headers].filter(([name]) => !OF_ONE_REPLY.test(name))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', productPage).pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    if (path.includes('..') || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const isSmall = !existsSync(`${file}.br`)
    readFile(isSmall ? file : `${file}.br`).then(
      (body) => {
        for (const [name, value] of headers) response.setHeader(name, value)
        response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
        response.setHeader('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
        if (!isSmall) response.setHeader('content-encoding', 'br')
        response.end(body)
      },
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a yardstick does not listen on a port')
  // an IP address like the portal's, so that both are secure contexts by the same rule
  return `http://127.0.0.1:${address.port}`
}
