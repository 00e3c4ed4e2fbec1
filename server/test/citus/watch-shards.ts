import pg from 'pg';
import { afterEach, expect, inject } from 'vitest';

/**
 * Watches what the coordinator sends to the nodes for every transaction of the service, and fails the test in
 * which one touches a second shard or node, commits in two phases, or has rows moved between nodes.
 */
const template = inject('template');
const shards = template.kind === 'postgres' ? template.shards : {};

interface Watched {
  readonly groups: Set<number>;
  readonly nodes: Set<string>;
  readonly statements: string[];
}

const open = new WeakMap<pg.Client, Watched>();
const found: { readonly what: string; readonly statements: readonly string[] }[] = [];

/** A Partner spans Projects: in the transaction that erases one, it is read whether any Project still has it. */
const ACROSS = /^SELECT 1 .* FROM public\.participants_\d+ .*project_id .* ANY .*partner_id/;

/**
 * What tests do themselves: they change whole tables, copy a Project to another shard, and have the auditor read
 * what they damaged before they roll it back.
 */
const isOfTest = (statement: string) =>
  /replace\(replace\(|^SELECT id, stored, expected FROM/.test(statement) ||
  (/^(UPDATE|DELETE) /.test(statement) && !statement.includes(' WHERE '));

function watch(client: pg.Client, { message, detail }: pg.DatabaseError): void {
  const statement = /^issuing (.*)$/s.exec(message)?.[1];
  if (statement === undefined) return;
  if (statement.startsWith('BEGIN')) {
    open.set(client, open.get(client) ?? { groups: new Set(), nodes: new Set(), statements: [] });
  }
  const watched = open.get(client);
  // Reads outside of a transaction may ask every shard.
  if (!watched) return;
  watched.statements.push(`${statement} ${detail}`);
  watched.nodes.add(/@(\S+:\d+)/.exec(detail ?? '')?.[1] ?? '');
  for (const [, shard = ''] of statement.matchAll(/_(\d{6,})\b/g)) {
    const group = shards[shard];
    if (group !== undefined) watched.groups.add(group);
  }
  if (/PREPARE TRANSACTION|worker_partition_query_result/.test(statement)) {
    report('two phases, or rows between nodes', watched);
  }
  if (/^(COMMIT|ROLLBACK)\b/.test(statement)) {
    const isSpread = watched.nodes.size > 1 || watched.groups.size > 1;
    if (isSpread && !watched.statements.some((one) => ACROSS.test(one))) {
      report('more than one shard', watched);
    }
    open.delete(client);
  }
}

const WRITES = /^(INSERT|UPDATE|DELETE)\b|\bFOR (NO KEY )?UPDATE\b/;

function report(what: string, { statements }: Watched): void {
  // The auditor reads across Projects in one snapshot.
  if (!statements.some((one) => WRITES.test(one))) return;
  if (statements.some(isOfTest)) return;
  found.push({ what, statements: [...statements] });
}

const emit = pg.Client.prototype.emit;
pg.Client.prototype.emit = function (this: pg.Client, type: string, ...rest: unknown[]) {
  if (type === 'notice') watch(this, rest[0] as pg.DatabaseError);
  return emit.call(this, type as never, ...(rest as never[]));
} as typeof emit;

/** What was found since it was last asked for. */
export const takeFindings = () => found.splice(0);

afterEach(() => {
  expect(takeFindings()).toEqual([]);
});
