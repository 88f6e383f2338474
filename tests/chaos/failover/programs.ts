import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { postgresWithPrograms } from '#tests/support/postgres-programs.ts'

interface Programs {
  patroni: string
  etcd: string
  haproxy: string
  /** folder of PostgreSQL's programs */
  postgres: string
}

/** Patroni and what it needs, where all of it is installed (Debian: `apt-get install patroni etcd-server haproxy postgresql`). */
export function failoverPrograms(): Programs | undefined {
  const postgres = postgresWithPrograms()
  const programs = {
    patroni: '/usr/bin/patroni',
    etcd: '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
    postgres: join(postgres ?? '', 'bin'),
  }
  const needed = [
    programs.patroni,
    programs.etcd,
    programs.haproxy,
    join(programs.postgres, 'pg_rewind'),
    join(programs.postgres, 'pg_basebackup'),
  ]
  return postgres !== undefined && needed.every((path) => existsSync(path)) ? programs : undefined
}
