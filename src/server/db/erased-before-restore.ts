import { and, inArray, isNull, sql } from 'drizzle-orm'
import { DAY_MS } from '#contract/rules/dates.ts'
import type { Database } from './database.ts'
import { users } from './schema/users.ts'

/**
 * A backup still has people who were erased after it: only the database that it replaces knows who they are. So a restore writes their
 * ids into a table of the restored database, in its own transaction, with the lists that earlier restores had left there. PRIVACY-13
 */

/** What was noted of the database that is replaced, as SQL of a jsonb: lists of when the restore began and ids; null: they could not be read. */
export const NOTHING_ERASED = `'[]'::jsonb`
export const NOTED_ERASED = `nullif(current_setting('touchline.erased', true), '')::jsonb`
export const unknownErased = (begunAt: string) => `'${JSON.stringify([[iso(begunAt), null]])}'::jsonb`

const iso = (at: string) => new Date(at).toISOString()

/** Notes in a database whom it has erased, for the rest of the transaction. It may be damaged, or of another program. */
export const noteErased = (begunAt: string) => `
do $erased$
declare
  lists jsonb := '[]';
  people jsonb := 'null';
begin
  begin
    if to_regclass('public.erased_before_restore') is not null then
      select coalesce(jsonb_agg(jsonb_build_array(begun_at, ids)), '[]') into lists from public.erased_before_restore;
    end if;
    if to_regclass('public.users') is null then
      people := '[]';
    else
      select coalesce(jsonb_agg(id::uuid), '[]') into people from public.users where erased_at is not null;
    end if;
  exception when others then
    -- which may be why a backup is restored
    people := 'null';
  end;
  perform set_config('touchline.erased', (lists || jsonb_build_array(jsonb_build_array('${iso(begunAt)}', people)))::text, true);
end
$erased$;`

/** Statements that list them in a restored database. @param erased an expression, as above */
export const erasedStatements = (erased: string) => `
create table if not exists public.erased_before_restore (begun_at text not null, ids jsonb);
insert into public.erased_before_restore select list ->> 0, list -> 1 from jsonb_array_elements(${erased}) list where list -> 1 <> '[]';`

export interface ErasedPeopleInBackup {
  /** accounts that were erased and are there again, sorted */
  ids: string[]
  /** false: of some database that was replaced, the erased ones could not be read */
  isWhole: boolean
}

const TOLD_MS = 30 * DAY_MS

/** Who is back by restores of the last 30 days: a wrong erasure may have been the reason for one. */
export async function listErasedPeopleInBackup(db: Database, now: Date): Promise<ErasedPeopleInBackup> {
  const { rows: found } = await db.execute<{ there: boolean }>(sql`select to_regclass('public.erased_before_restore') is not null as there`)
  if (!found[0]?.there) return { ids: [], isWhole: true }
  const { rows } = await db.execute<{ begunAt: string; ids: string[] | null }>(
    sql`select begun_at as "begunAt", nullif(ids, 'null') as ids from public.erased_before_restore`,
  )
  const lists = rows.filter(({ begunAt }) => Date.parse(begunAt) > now.getTime() - TOLD_MS)
  const erased = lists.flatMap(({ ids }) => ids ?? [])
  const back = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, erased), isNull(users.erasedAt)))
  return { ids: back.map(({ id }) => id).toSorted(), isWhole: lists.every(({ ids }) => ids !== null) }
}
