const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id, as accounts, instances and all else that the server stores have. */
export function isId(text: string): boolean {
  return ID.test(text)
}
