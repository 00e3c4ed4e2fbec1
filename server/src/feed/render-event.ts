import type { Instant } from '../kit/instant.ts';
import type { ApiVersions, EventData } from './api-versions.ts';

/** An event as it is stored. */
export interface FeedRow {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Instant;
  readonly data: Record<string, unknown>;
}

/** A participant as events show it; `externalId` is null for a partner. */
export interface Party {
  readonly participantId: string;
  readonly kind: string;
  readonly externalId: string | null;
}

/** Reads the parties of a page of events at once. */
export type FindParties = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlyMap<string, Party>>;

export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly occurredAt: string;
  readonly projectId: string;
  readonly environment: 'live' | 'sandbox';
  readonly data: unknown;
}

/** Reads the callers' own fields of the facts of a page at once, by the Event's id. */
export type FindProperties = (
  projectId: string,
  eventIds: readonly string[],
) => Promise<ReadonlyMap<string, unknown>>;

/** What an event's data leaves to be filled in when it is read, so that erasing rewrites no event. */
export interface Fillings {
  readonly $party: ReadonlyMap<string, unknown>;
  readonly $properties: ReadonlyMap<string, unknown>;
}

const PLACEHOLDERS = ['$party', '$properties'] as const;

function placeholderIn(value: object): [keyof Fillings, string] | undefined {
  for (const name of PLACEHOLDERS) {
    const id = (value as Record<string, unknown>)[name];
    if (typeof id === 'string') return [name, id];
  }
  return undefined;
}

/** The ids behind every placeholder of a kind in the data of these events. */
export function collectIds(rows: readonly FeedRow[], kind: keyof Fillings): string[] {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const found = placeholderIn(value);
    if (!found) for (const member of Object.values(value)) visit(member);
    else if (found[0] === kind) ids.add(found[1]);
  };
  for (const row of rows) visit(row.data);
  return [...ids];
}

/** The event as one of the versions shows it: always the same, until a person in it is erased. */
export function renderEvent(
  row: Omit<FeedRow, 'position'>,
  project: { readonly id: string; readonly environment: 'live' | 'sandbox' },
  versions: ApiVersions,
  apiVersion: string,
  fillings: Fillings,
): EventEnvelope {
  return {
    id: row.id,
    type: row.type,
    apiVersion,
    occurredAt: row.occurredAt,
    projectId: project.id,
    environment: project.environment,
    data: versions.shape(apiVersion, row.type, fill(row.data, fillings) as EventData),
  };
}

function fill(value: unknown, fillings: Fillings): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member) => fill(member, fillings));
  const found = placeholderIn(value);
  if (found) {
    const [kind, id] = found;
    const filling = fillings[kind].get(id);
    if (filling === undefined) throw new Error(`An event names ${id}, which does not exist.`);
    return filling;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fill(member, fillings)]),
  );
}
