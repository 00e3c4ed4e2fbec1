import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, invalid } from '../../../platform/kit/errors.ts';
import type { RegisterSource, Source } from '../schema.ts';
import { insertSource, listSources } from './source-store.ts';

export const SOURCES_MAX = 50;
const KEY_CHARS_MAX = 64;
const DEFAULT_NAME = 'application';

/**
 * Creates the source with this key, or returns the existing one. Fails with CONFLICT
 * `limit_reached`, or INVALID_REQUEST for a name that gives no key.
 */
export async function registerSource(
  writer: ProjectWriter,
  request: WriteRequest,
  input: RegisterSource,
): Promise<Source> {
  const name = input.name ?? DEFAULT_NAME;
  const key = input.key ?? toKey(name);
  if (key === '') throw invalid('key', 'is required: the name has no letters to make one from');
  const kind = input.kind ?? 'application';
  return writer.run(request, async (write) => ({
    answer: await addSource(write, request, { name, key, kind }),
  }));
}

/** Like `registerSource`, as part of a larger transaction. */
export async function addSource(
  write: ProjectWrite,
  request: WriteRequest,
  { name, key, kind }: Pick<Source, 'name' | 'key' | 'kind'>,
): Promise<Source> {
  const sources = await listSources(write.tx, write.projectId);
  const known = sources.find((source) => source.key === key);
  if (known) return known;
  if (sources.length >= SOURCES_MAX) {
    throw conflict('limit_reached', `A project has at most ${SOURCES_MAX} sources.`);
  }
  const source: Source = {
    id: write.newId('src'),
    projectId: write.projectId,
    name,
    key,
    kind,
    enabled: true,
    createdAt: write.now,
    updatedAt: write.now,
  };
  insertSource(write.changeConfig(), source);
  recordAudit(write, request, {
    action: 'source.register',
    targetType: 'source',
    targetId: source.id,
    changes: { name, key, kind },
  });
  return source;
}

/** A name in the characters of a key: `Our Shop` → `our-shop`. Empty for a name without any of them. */
export function toKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, KEY_CHARS_MAX)
    .replace(/^-+|-+$/g, '');
}
