import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { conflict, invalid, notFound } from '../../platform/kit/errors.ts';
import { listSources } from './queries.ts';
import type { ChangeSource, RegisterSource, Source } from './schema.ts';
import { insertSource, updateSource } from './store.ts';

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
  if (key === '') throw invalid('key', 'is required, because no key can be derived from the name');
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

/** Renames, disables or enables a source. Fails with NOT_FOUND. */
export function changeSource(
  writer: ProjectWriter,
  request: WriteRequest,
  sourceId: string,
  input: ChangeSource,
): Promise<Source> {
  return writer.run(request, async (write) => ({
    answer: await alterSource(write, request, sourceId, input),
  }));
}

/** Like `changeSource`, as part of a larger transaction. */
export async function alterSource(
  write: ProjectWrite,
  request: WriteRequest,
  sourceId: string,
  input: ChangeSource,
): Promise<Source> {
  const sources = await listSources(write.tx, write.projectId);
  const source = sources.find(({ id }) => id === sourceId);
  if (!source) throw notFound('source');
  const next: Source = {
    ...source,
    name: input.name ?? source.name,
    enabled: input.enabled ?? source.enabled,
    updatedAt: write.now,
  };
  updateSource(write.changeConfig(), next);
  recordAudit(write, request, {
    action: 'source.change',
    targetType: 'source',
    targetId: sourceId,
    changes: { name: next.name, enabled: next.enabled },
    before: source,
  });
  return next;
}
