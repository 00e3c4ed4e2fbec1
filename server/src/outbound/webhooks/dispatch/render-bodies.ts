import {
  type FeedProject,
  type FeedRow,
  openEvents,
  type RenderDeps,
} from '../../../platform/feed/render-event.ts';

/** The bytes to sign and send, by event and version: rendered once for any number of endpoints. */
export async function prepareBodies(
  deps: RenderDeps,
  project: FeedProject,
  events: readonly FeedRow[],
): Promise<(event: FeedRow, apiVersion: string) => Uint8Array> {
  const opened = new Map(
    (await openEvents(deps, project, events)).map(({ row, render }) => [
      row.position,
      { render, bodies: new Map<string, Uint8Array>() },
    ]),
  );
  return ({ position }, apiVersion) => {
    const event = opened.get(position);
    if (!event) throw new Error(`The event at ${position} was not asked for.`);
    const known = event.bodies.get(apiVersion);
    if (known) return known;
    const body = Buffer.from(event.render(apiVersion));
    event.bodies.set(apiVersion, body);
    return body;
  };
}
