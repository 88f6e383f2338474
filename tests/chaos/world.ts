import { Device, type Faults } from './device.ts'
import { Random, Scheduler } from './scheduler.ts'
import { Server } from './server.ts'

/** A server and its devices in one process; the seed decides all that happens. */
export function makeWorld(seed: number, faults: Faults, devices: number) {
  const random = new Random(seed)
  const scheduler = new Scheduler(random)
  const server = new Server(scheduler)
  return { random, scheduler, server, devices: Array.from({ length: devices }, () => new Device({ random, scheduler, server, faults })) }
}
