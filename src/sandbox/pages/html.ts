import type { FastifyReply } from 'fastify'

/** Markup whose values have been escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | null | undefined | false | Html | readonly Html[]

/** `html`…``: escapes every value except markup made by `html` itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + markupOf(values[index - 1]) + part))
}

function markupOf(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((one) => one.text).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'"

interface DevPage {
  language: 'en' | 'fr'
  title: string
  body: Html
  script?: string
  /** may be shown in a frame, on our own pages only */
  isFrame?: boolean
}

/** Sends a page of /dev/ with a content security policy of its own: no inline script or style, no eval. */
export function sendDevPage(reply: FastifyReply, { language, title, body, script, isFrame = false }: DevPage): FastifyReply {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="/dev/dev.css" />
        ${script !== undefined && html`<script src="${script}" defer></script>`}
      </head>
      <body class="${isFrame ? 'frame' : 'page'}">
        ${body}
      </body>
    </html> `
  return reply
    .header('content-security-policy', `${POLICY}; form-action 'self'; frame-ancestors ${isFrame ? "'self'" : "'none'"}`)
    .header('x-frame-options', isFrame ? 'SAMEORIGIN' : 'DENY')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(page.text)
}
