import type { Instant } from '../kit/instant.ts';
import type { ApiVersions } from './api-versions.ts';

/** An event as stored, with its data as the text that was written. */
export interface FeedRow {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Instant;
  readonly data: string;
}

/** A participant as shown in events; `externalId` is null for a partner. */
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

/** Values that are filled into an event's data when it is read, so that an erasure rewrites no event. */
export interface PlaceholderValues {
  readonly $party: ReadonlyMap<string, unknown>;
  readonly $properties: ReadonlyMap<string, unknown>;
}

/**
 * A placeholder in an event's JSON: `{"$party":"par_…"}`. A caller's text cannot be mistaken for
 * one, because its quotes are escaped with a backslash.
 */
const PLACEHOLDER = /\{"(\$party|\$properties)":"([^"]+)"\}/;

/** An event whose data is split at its placeholders: text, kind, id, text, kind, id, …, text. */
export interface CutEvent {
  readonly row: FeedRow;
  readonly parts: readonly string[];
}

/** Splits the events of a page, and lists all their placeholders. */
export function cutEvents(rows: readonly FeedRow[]): {
  readonly cut: CutEvent[];
  readonly ids: Readonly<Record<keyof PlaceholderValues, string[]>>;
} {
  const named = { $party: new Set<string>(), $properties: new Set<string>() };
  const cut = rows.map((row) => {
    const parts = row.data.split(PLACEHOLDER);
    for (let at = 1; at < parts.length; at += 3) {
      named[parts[at] as keyof PlaceholderValues].add(parts[at + 1] as string);
    }
    return { row, parts };
  });
  return { cut, ids: { $party: [...named.$party], $properties: [...named.$properties] } };
}

export type PlaceholderTexts = Readonly<
  Record<keyof PlaceholderValues, ReadonlyMap<string, string>>
>;

/** Writes each value as JSON, once for all the events that contain it. */
export function writePlaceholderTexts({
  $party,
  $properties,
}: PlaceholderValues): PlaceholderTexts {
  const write = (values: ReadonlyMap<string, unknown>) =>
    new Map(Array.from(values, ([id, value]) => [id, JSON.stringify(value)]));
  return { $party: write($party), $properties: write($properties) };
}

export interface FeedProject {
  readonly id: string;
  readonly environment: 'live' | 'sandbox';
}

/**
 * The JSON of an event in one of the versions: always the same bytes, until a person in it is
 * erased. Assembled as text, because parsing and rewriting the stored data would take most of the
 * time of a page.
 */
export function renderEvent(
  { row, parts }: CutEvent,
  project: FeedProject,
  texts: PlaceholderTexts,
  { apiVersions, apiVersion }: { readonly apiVersions: ApiVersions; readonly apiVersion: string },
): string {
  let data = parts[0] as string;
  for (let at = 1; at < parts.length; at += 3) {
    const id = parts[at + 1] as string;
    const text = texts[parts[at] as keyof PlaceholderValues].get(id);
    if (text === undefined) throw new Error(`An event names ${id}, which does not exist.`);
    data += text + parts[at + 2];
  }
  const shaped = apiVersions.shapeText(apiVersion, row.type, data);
  return `{"id":"${row.id}","type":"${row.type}","apiVersion":"${apiVersion}","occurredAt":"${row.occurredAt}","projectId":"${project.id}","environment":"${project.environment}","data":${shaped}}`;
}

export interface RenderDeps {
  readonly apiVersions: ApiVersions;
  readonly findParties: FindParties;
  readonly findProperties: FindProperties;
}

/** Reads the values of all placeholders of these events; each event can then be rendered in every version. */
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
  const texts = writePlaceholderTexts({ $party, $properties });
  return cut.map((event) => ({
    row: event.row,
    render: (apiVersion) => renderEvent(event, project, texts, { apiVersions, apiVersion }),
  }));
}
