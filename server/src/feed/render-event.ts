import type { FeedRow } from './store.ts';

export const API_VERSIONS = ['2026-10-04'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];
export const CURRENT_API_VERSION: ApiVersion = '2026-10-04';

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
  readonly apiVersion: ApiVersion;
  readonly occurredAt: string;
  readonly projectId: string;
  readonly environment: 'live' | 'sandbox';
  readonly data: unknown;
}

/** The ids behind every `{$party}` in the data of these events. */
export function collectPartyIds(rows: readonly FeedRow[]): string[] {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const id = (value as { $party?: unknown }).$party;
    if (typeof id === 'string') ids.add(id);
    else for (const member of Object.values(value)) visit(member);
  };
  for (const row of rows) visit(row.data);
  return [...ids];
}

export function renderEvent(
  row: FeedRow,
  project: { readonly id: string; readonly environment: 'live' | 'sandbox' },
  apiVersion: ApiVersion,
  parties: ReadonlyMap<string, Party>,
): EventEnvelope {
  return {
    id: row.id,
    type: row.type,
    apiVersion,
    occurredAt: row.occurredAt,
    projectId: project.id,
    environment: project.environment,
    data: fillParties(row.data, parties),
  };
}

function fillParties(value: unknown, parties: ReadonlyMap<string, Party>): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member) => fillParties(member, parties));
  const id = (value as { $party?: unknown }).$party;
  if (typeof id === 'string') {
    const party = parties.get(id);
    if (!party) throw new Error(`An event names participant ${id}, which does not exist.`);
    return party;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fillParties(member, parties)]),
  );
}
