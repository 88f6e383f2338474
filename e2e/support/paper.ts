import { getDocumentProxy } from 'unpdf'

/** The text of each page of a PDF, without white space. */
export async function textOfPages(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(withoutSpace(items.map((item) => ('str' in item ? item.str : '')).join('')))
  }
  return pages
}

export const withoutSpace = (text: string) => text.replaceAll(/\s+/gu, '')
