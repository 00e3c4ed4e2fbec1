import type { FeedDeps } from '../feed/list-events.ts';
import { collectIds, type FeedRow, renderEvent } from '../feed/render-event.ts';
import type { Environment } from '../http/principal.ts';

export type RenderDeps = Pick<FeedDeps, 'findParties' | 'findProperties' | 'apiVersions'>;

/** The bytes that are signed and sent, for each event and version: made once, however many get them. */
export async function prepareBodies(
  deps: RenderDeps,
  project: { readonly id: string; readonly environment: Environment },
  events: readonly FeedRow[],
): Promise<(event: FeedRow, apiVersion: string) => Uint8Array> {
  const [$party, $properties] = await Promise.all([
    deps.findParties(project.id, collectIds(events, '$party')),
    deps.findProperties(project.id, collectIds(events, '$properties')),
  ]);
  const made = new Map<string, Uint8Array>();
  return (event, apiVersion) => {
    const key = `${event.position}/${apiVersion}`;
    const known = made.get(key);
    if (known) return known;
    const envelope = renderEvent(event, project, deps.apiVersions, apiVersion, {
      $party,
      $properties,
    });
    const body = Buffer.from(JSON.stringify(envelope));
    made.set(key, body);
    return body;
  };
}
