import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { api, everyEndpoint } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { handlers } from '../../src/server/app.ts'

/** An endpoint has one name: in the contract, in the portal (which uses the contract's) and as its handler's file and export. */

/** Second paths of a call (API-30, SESSION-12): they have the handler of the first. */
const SECOND_PATHS: Readonly<Record<string, string>> = {
  'auth.automaticRefresh': 'auth.refresh',
  'users.withAssessments': 'users.get',
  'instances.replace': 'instances.update',
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const isEndpoint = (one: unknown): one is Endpoint => typeof one === 'object' && one !== null && 'path' in one && 'access' in one

/** [file, exported name, endpoints] of every object of endpoints that the contract exports. */
async function exportedEndpoints() {
  const files = readdirSync('src/contract').filter((file) => file.endsWith('.ts') && file !== 'api.ts')
  const modules = await Promise.all(
    files.map(async (file) => [file, (await import(`../../src/contract/${file}`)) as Record<string, object>] as const),
  )
  return modules.flatMap(([file, exported]) =>
    Object.entries(exported).flatMap(([name, value]) => {
      const endpoints = typeof value === 'object' ? Object.entries(value).filter(([, one]) => isEndpoint(one)) : []
      return endpoints.length > 0 ? [{ file, name, endpoints: endpoints as [string, Endpoint][] }] : []
    }),
  )
}

describe('an endpoint', () => {
  it.each(everyEndpoint().map(([name]) => name))('%s has the handler of its name', async (name) => {
    const [subject = '', endpoint = ''] = (SECOND_PATHS[name] ?? name).split('.')
    const module = (await import(`../../src/server/${subject}/${kebab(endpoint)}.ts`)) as Record<string, unknown>
    const [ownSubject = '', ownName = ''] = name.split('.')
    const registered = (handlers as Record<string, Record<string, unknown>>)[ownSubject]?.[ownName]
    expect(typeof module[endpoint]).toBe('function')
    expect(registered).toBe(module[endpoint])
  })

  it('stands in one file of its subject, and none hides another of the same name', async () => {
    const exported = await exportedEndpoints()
    for (const { file, name, endpoints } of exported) {
      const [subject = ''] = file.split('.')
      const caller = /\.(coach|operator)\.ts$/.exec(file)?.[1]
      expect(name).toBe(caller ? `${subject}For${caller === 'coach' ? 'Coach' : 'Operator'}` : subject)
      const inApi = (api as Record<string, Record<string, unknown>>)[subject]
      for (const [key, one] of endpoints) expect(inApi?.[key], `${file} ${key}`).toBe(one)
    }
    expect(exported.flatMap(({ endpoints }) => endpoints)).toHaveLength(everyEndpoint().length)
  })

  it('has a method and path of its own', () => {
    const calls = everyEndpoint().map(([, { method, path }]) => `${method} ${path.replace(/^\//, '').replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(calls).size).toBe(calls.length)
  })

  it('that only the operator may call is in an *.operator.ts file, which the portal does not load', async () => {
    const exported = await exportedEndpoints()
    const operatorOnly = ({ access }: Endpoint) => access !== 'anyone' && access.every((who) => who === 'operator')
    for (const { file, endpoints } of exported)
      for (const [name, one] of endpoints) expect(operatorOnly(one), `${file} ${name}`).toBe(file.endsWith('.operator.ts'))
  })
})
