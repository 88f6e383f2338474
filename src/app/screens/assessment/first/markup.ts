/** HTML with every value escaped; values that are themselves `markup`, and lists of them, are put in as they are. Line breaks are dropped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }

export function markup(parts: TemplateStringsArray, ...values: (Markup | readonly Markup[] | string | number | boolean)[]): Markup {
  return new Markup(parts.map((part, index) => part.replace(/\n\s*/g, '') + textOf(values[index] ?? '')).join(''))
}

/** Makes this the content of an element. What stays the same element keeps its focus, and a tap that has begun on it. */
export function put(element: Element | null, ...parts: Markup[]): void {
  if (element) follow(element, elementsOf(...parts))
}

/** Replaces an element by others. */
export function replace(element: Element | null, ...parts: Markup[]): void {
  element?.replaceWith(elementsOf(...parts))
}

function elementsOf(...parts: Markup[]): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = textOf(parts)
  return template.content
}

function follow(shown: Element, next: Element | DocumentFragment): void {
  const before = [...shown.childNodes]
  const after = [...next.childNodes]
  for (const [index, node] of after.entries()) {
    const old = before[index]
    if (!old) shown.append(node)
    else if (old.nodeName !== node.nodeName) old.replaceWith(node)
    else if (old instanceof Element && node instanceof Element) {
      for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name)
      for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value)
      follow(old, node)
    } else if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue
  }
  for (const old of before.slice(after.length)) old.remove()
}

function textOf(value: Markup | readonly Markup[] | string | number | boolean): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)
}
