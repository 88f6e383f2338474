import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { registerCardSandboxPages } from '../card-provider/pages.ts'
import type { CardSandbox } from '../card-provider/card-sandbox.ts'
import { registerGallery, type BuiltGallery } from './gallery.ts'
import { guardDevPages, type DevAccess } from './guard.ts'
import { html, sendDevPage } from './html.ts'
import { devLanguage, devWords } from './words.ts'
import { registerMailboxPages } from '../mailbox/pages.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'

/** What has pages; null if the settings name the real service. */
interface DevPages {
  access: DevAccess
  sandbox: CardSandbox | null
  mailbox: Mailbox | null
  gallery: BuiltGallery
  /** resolves once every mail that was handed over is in the mailbox */
  mailsSettled: () => Promise<unknown>
}

const folder = new URL('./files/', import.meta.url)
const SCRIPT = 'text/javascript; charset=utf-8'

/** Everything below /dev/. */
export async function registerDevPages(app: FastifyInstance, { access, sandbox, mailbox, gallery, mailsSettled }: DevPages): Promise<void> {
  await app.register(async (scope) => {
    guardDevPages(scope, access)
    await sendFile(scope, 'dev.css', 'text/css; charset=utf-8')
    if (sandbox) {
      await sendFile(scope, 'stripe.js', SCRIPT)
      await sendFile(scope, 'card-frame.js', SCRIPT)
      registerCardSandboxPages(scope, sandbox)
    }
    if (mailbox) registerMailboxPages(scope, mailbox, mailsSettled)
    const hasGallery = await registerGallery(scope, gallery)
    scope.get('/dev', async (request, reply) => {
      const language = devLanguage(new URL(request.url, 'http://dev').searchParams.get('lang'), request.headers['accept-language'])
      const words = devWords[language]
      const body = html`<main>
        <h1>${words.pages}</h1>
        <ul>
          ${mailbox && html`<li><a href="/dev/mail">${words.mailbox}</a></li>`}
          ${sandbox && html`<li><a href="/dev/stripe/control">${words.control}</a></li>`}
          ${hasGallery && html`<li><a href="/dev/gallery?lang=${language}">${words.gallery}</a></li>`}
        </ul>
      </main>`
      return sendDevPage(reply, { language, title: words.pages, body })
    })
  })
}

async function sendFile(scope: FastifyInstance, name: string, type: string): Promise<void> {
  const content = await readFile(new URL(name, folder), 'utf8')
  scope.get(`/dev/${name}`, async (_request, reply) => reply.type(type).send(content))
}
