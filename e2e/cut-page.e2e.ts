import { paths } from '#app/paths.ts'
import { engineTest as test, inEveryEngine } from './support/engines/journey.ts'
import { heading } from './support/engines/steps.ts'
import { expect, productTest } from './support/journey.ts'
import { countLoads } from './support/requests.ts'

/** The page itself or a script of it, cut off by the connection; what else it loads is in first-load.e2e.ts. OFFLINE-14 */

const cuts = {
  'in what it shows first': (page: string) => page.indexOf('<p>Touchline'),
  'in its script': (page: string) => page.lastIndexOf('<script>') + 4000,
  'before its own end': (page: string) => page.lastIndexOf('</script>') + '</script>'.length,
}

inEveryEngine(() => {
  for (const [where, placeIn] of Object.entries(cuts)) {
    test(`a page that is cut ${where} still opens the app`, async ({ t, server, front, phone }) => {
      const whole = Buffer.from(await (await fetch(server.url + paths.login())).text())
      let cutOff = 0
      front.bend(/^\/auth\/login$/, (incoming, reply, pass) => {
        if (cutOff > 0) return pass()
        cutOff += 1
        incoming.resume()
        reply.writeHead(200, { 'content-type': 'text/html', 'content-length': whole.length })
        reply.write(whole.subarray(0, placeIn(whole.toString('latin1'))), () => setTimeout(() => incoming.socket.destroy(), 200))
      })
      const page = await phone.open()
      // whether the driver reports the cut or not, the page is there
      await page.goto(front.url + paths.login()).catch(() => undefined)
      await page.sees(heading(t('auth:LoginTitle')), { timeout: 40_000 })
      expect(cutOff).toBe(1)
    })
  }

  test('a page that was cut, in a reply that seems whole, is not taken from the browser’s cache', async ({ t, server, front, phone }) => {
    const whole = await (await fetch(server.url + paths.login())).text()
    const etag = 'W/"whole"'
    let isCut = false
    front.bend(/^\/auth\/login$/, (incoming, reply, pass) => {
      if (isCut && incoming.headers['if-none-match'] !== etag) return pass()
      incoming.resume()
      if (isCut) return reply.writeHead(304, { etag, 'cache-control': 'no-cache' }).end()
      isCut = true
      // the end of the connection is the end of the body
      reply.useChunkedEncodingByDefault = false
      reply.writeHead(200, { 'content-type': 'text/html', etag, 'cache-control': 'no-cache' })
      return reply.end(whole.slice(0, whole.lastIndexOf('<script>')))
    })
    const page = await phone.open()
    await page.goto(front.url + paths.login())
    await page.sees(heading(t('auth:LoginTitle')), { timeout: 40_000 })
  })

  test('a script that was cut, in a reply that seems whole, is requested again', async ({ t, server, front, phone }) => {
    const html = await (await fetch(server.url + paths.login())).text()
    const entry = `/${/assets\/index-[\w-]+\.js/.exec(html)?.[0]}`
    const whole = await fetch(server.url + entry)
    const script = await whole.text()
    let isCut = false
    front.bend(new RegExp(entry), (incoming, reply, pass) => {
      if (isCut) return pass()
      isCut = true
      incoming.resume()
      // the end of the connection is the end of the body
      reply.useChunkedEncodingByDefault = false
      reply.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': whole.headers.get('cache-control') ?? '' })
      reply.end(script.slice(0, script.length / 2))
    })
    const page = await phone.open()
    await page.goto(front.url + paths.login())
    await page.sees(heading(t('auth:LoginTitle')), { timeout: 40_000 })
  })
})

// not `test`, which fails for a fault in the page
productTest('a page whose script this browser cannot run is not requested over and over', async ({ page, server, front }) => {
  const whole = await (await fetch(server.url + paths.login())).text()
  const script = whole.lastIndexOf('<script>')
  const unreadable = `${whole.slice(0, script)}<script>this is of a later year</script></body></html>`
  const loads = countLoads(page)
  front.bend(/^\/auth\/login$/, (incoming, reply) => {
    incoming.resume()
    reply.writeHead(200, { 'content-type': 'text/html' }).end(unreadable)
  })
  await page.clock.install()
  await page.goto(front.url + paths.login())
  await page.clock.runFor('05:00')
  // a reload would have been requested before the reply is here
  await page.evaluate(() => fetch('/api/health').then((reply) => reply.text()))
  expect(loads()).toBe(1)
})
