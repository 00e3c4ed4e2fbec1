import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { ChangeSource, Source } from '../schema.ts';
import { listSources, updateSource } from './source-store.ts';

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
  });
  return next;
}
