export interface ListenAddress {
  port: number
  host: string
}

/** The address at which a program on this machine reaches a server that listens there. */
export function localAddress({ host, port }: ListenAddress): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

export function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return name === 'localhost' || name === '::1' || /^127(\.\d+){3}$/.test(name)
}
