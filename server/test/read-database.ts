import type { TestService } from './harness.ts';

/** Every text that the database holds anywhere. */
export async function readDatabase(service: TestService): Promise<string> {
  const { reads } = service.database;
  const tables = await reads.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => reads.query(`select t::text as row from ${name} t`)),
  );
  return JSON.stringify(rows);
}
