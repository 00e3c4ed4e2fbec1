import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { type ProgramInForce, toDefinition } from '../definition/defined-program.ts';
import type { ProgramDefinition } from '../definition/definition-schema.ts';

const digest = (value: unknown) =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;

/** The same for YAML and JSON of the same contents. */
export function digestOf({ $schema: _, ...definition }: ProgramDefinition): string {
  return digest(definition);
}

/** Another one after every change that a plan could rest on; null for a Program that does not exist. */
export function stateDigest(program: ProgramInForce | null): string {
  if (!program) return digest(null);
  const { id, facts, scheduled, lastVersions, rules } = program;
  const versions = rules.map(({ id: ruleId, key, name, lastVersion, scheduled: waiting }) => {
    return { ruleId, key, name, lastVersion, waiting };
  });
  const { status } = facts;
  return digest({ id, status, scheduled, lastVersions, versions, is: toDefinition(program) });
}
