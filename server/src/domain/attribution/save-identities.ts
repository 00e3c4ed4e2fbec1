import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { IdentitySlice } from './decide-identify.ts';
import { updateIdentifiedHandles, upsertReferences } from './store.ts';

/** Saves what was decided over a loaded slice, in at most two statements. */
export function saveIdentities(write: ProjectWrite, slice: IdentitySlice): void {
  const { tx, projectId, now } = write;
  const handles = [...slice.changed.handles].flatMap((id) => slice.handles.get(id) ?? []);
  const references = [...slice.changed.references].flatMap(
    (key) => slice.references.get(key) ?? [],
  );
  if (handles.length > 0) updateIdentifiedHandles(tx, projectId, handles);
  if (references.length > 0) upsertReferences(tx, projectId, now, references);
}
