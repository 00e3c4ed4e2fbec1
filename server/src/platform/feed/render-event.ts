import type { Instant } from '../kit/instant.ts';
import type { ApiVersions } from './api-versions.ts';

/** An event as it is stored, its data as the text that was written. */
export interface FeedRow {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Instant;
  readonly data: string;
}

/** A participant as events show it; `externalId` is null for a partner. */
export interface Party {
  readonly participantId: string;
  readonly kind: string;
  readonly externalId: string | null;
}

/** Reads the parties of a page of events at once. */
type FindParties = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlyMap<string, Party>>;

/** Reads the callers' own fields of the facts of a page at once, by the Event's id. */
type FindProperties = (
  projectId: string,
  eventIds: readonly string[],
) => Promise<ReadonlyMap<string, unknown>>;

/** What an event's data leaves to be filled in when it is read, so that erasing rewrites no event. */
export interface Fillings {
  readonly $party: ReadonlyMap<string, unknown>;
  readonly $properties: ReadonlyMap<string, unknown>;
}

/**
 * What an event leaves to be filled in, as it stands in its JSON: `{"$party":"par_…"}`. A text of
 * a caller's cannot be taken for one, since every quote in it has a backslash before it.
 */
const PLACEHOLDER = /\{"(\$party|\$properties)":"([^"]+)"\}/;

/** An event whose data is cut at its placeholders: text, kind, id, text, kind, id, …, text. */
export interface CutEvent {
  readonly row: FeedRow;
  readonly parts: readonly string[];
}

/** Cuts the events of a page, and names whatever they leave to be filled in. */
export function cutEvents(rows: readonly FeedRow[]): {
  readonly cut: CutEvent[];
  readonly ids: Readonly<Record<keyof Fillings, string[]>>;
} {
  const named = { $party: new Set<string>(), $properties: new Set<string>() };
  const cut = rows.map((row) => {
    const parts = row.data.split(PLACEHOLDER);
    for (let at = 1; at < parts.length; at += 3) {
      named[parts[at] as keyof Fillings].add(parts[at + 1] as string);
    }
    return { row, parts };
  });
  return { cut, ids: { $party: [...named.$party], $properties: [...named.$properties] } };
}

export type FillingTexts = Readonly<Record<keyof Fillings, ReadonlyMap<string, string>>>;

/** Writes each filling as JSON, once for all the events that name it. */
export function writeFillings({ $party, $properties }: Fillings): FillingTexts {
  const write = (values: ReadonlyMap<string, unknown>) =>
    new Map(Array.from(values, ([id, value]) => [id, JSON.stringify(value)]));
  return { $party: write($party), $properties: write($properties) };
}

export interface FeedProject {
  readonly id: string;
  readonly environment: 'live' | 'sandbox';
}

/**
 * The JSON of an event as one of the versions shows it: always the same bytes, until a person in
 * it is erased. Put together as text, since parsing what the database keeps only to write it again
 * would take most of the time of a page.
 */
export function renderEvent(
  { row, parts }: CutEvent,
  project: FeedProject,
  fillings: FillingTexts,
  { apiVersions, apiVersion }: { readonly apiVersions: ApiVersions; readonly apiVersion: string },
): string {
  let data = parts[0] as string;
  for (let at = 1; at < parts.length; at += 3) {
    const id = parts[at + 1] as string;
    const filling = fillings[parts[at] as keyof Fillings].get(id);
    if (filling === undefined) throw new Error(`An event names ${id}, which does not exist.`);
    data += filling + parts[at + 2];
  }
  const shaped = apiVersions.shapeText(apiVersion, row.type, data);
  return `{"id":"${row.id}","type":"${row.type}","apiVersion":"${apiVersion}","occurredAt":"${row.occurredAt}","projectId":"${project.id}","environment":"${project.environment}","data":${shaped}}`;
}

export interface RenderDeps {
  readonly apiVersions: ApiVersions;
  readonly findParties: FindParties;
  readonly findProperties: FindProperties;
}

/** Reads whatever these events leave to be filled in; each can then be had in every version. */
export async function openEvents(
  deps: RenderDeps,
  project: FeedProject,
  rows: readonly FeedRow[],
): Promise<{ readonly row: FeedRow; render(apiVersion: string): string }[]> {
  const { apiVersions } = deps;
  const { cut, ids } = cutEvents(rows);
  const [$party, $properties] = await Promise.all([
    deps.findParties(project.id, ids.$party),
    deps.findProperties(project.id, ids.$properties),
  ]);
  const fillings = writeFillings({ $party, $properties });
  return cut.map((event) => ({
    row: event.row,
    render: (apiVersion) => renderEvent(event, project, fillings, { apiVersions, apiVersion }),
  }));
}
