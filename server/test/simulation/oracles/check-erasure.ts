import type { Database } from '../../../src/platform/db/database.ts';
import type { Actor } from '../world/actor.ts';
import { externalIdOf } from '../world/names.ts';

/** No table names anybody who was erased. */
export async function checkErasure(actor: Actor, { reads }: Database): Promise<string[]> {
  if (actor.erased.size === 0) return [];
  const names = [...actor.erased.keys()].map((person) => `%${externalIdOf(person)}%`);
  const tables = await reads.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0
     order by relname`,
  );
  const findings: string[] = [];
  for (const { name } of tables) {
    const rows = await reads.query<{ text: string }>(
      `select one::text as text from "${name}" one where one::text ilike any($1) limit 1`,
      [names],
    );
    for (const { text } of rows) findings.push(`${name} still names somebody erased: ${text}`);
  }
  return findings;
}
