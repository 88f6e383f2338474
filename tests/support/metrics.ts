import type { TestServer } from './start-server.ts'

/** The metrics as Prometheus reads them. */
export async function readMetrics({ metricsAddress }: Pick<TestServer, 'metricsAddress'>): Promise<string> {
  if (metricsAddress === null) throw new Error('this server was started without METRICS_PORT')
  return (await fetch(metricsAddress)).text()
}

/** Their text, and the value of one series; undefined if there is none with these labels. */
export async function metricsOf(server: Pick<TestServer, 'metricsAddress'>) {
  const text = await readMetrics(server)
  const series = text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (value === undefined) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text] as const)
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
  const valueOf = (name: string, labels: Record<string, string>) =>
    series.find((one) => one.name === name && isSame(one.labels, labels))?.value
  return { text, valueOf }
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  const [names, others] = [Object.keys(a), Object.keys(b)]
  return names.length === others.length && names.every((name) => a[name] === b[name])
}
