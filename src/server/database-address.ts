const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/

interface AddressParts {
  before: string
  /** with their ports, separated by commas; '' if the address names none */
  hosts: string
  after: string
}

/** Taken apart by hand: a cluster's address has several hosts, which `URL` does not accept. Undefined: not an address of PostgreSQL. */
export function addressParts(url: string): AddressParts | undefined {
  const [, before, hosts, after] = PARTS.exec(url) ?? []
  return before === undefined || hosts === undefined || after === undefined ? undefined : { before, hosts, after }
}
