import type { Queryable } from '../db/driver.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import type { Instant } from '../kit/instant.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { ParticipantRef } from '../participants/schema.ts';
import type { Referral, TrackAnswer } from './event-schema.ts';
import { normalizeEvent } from './normalize-event.ts';
import { listReferralsOfReferees, listSources } from './store.ts';
import { takeFacts } from './track-event.ts';

/** What imports are told as: an Event of this type, from a source of this key. */
export const IMPORT_SOURCE = { name: 'Import', key: 'import', kind: 'import' } as const;
const IMPORT_TYPE = 'custom_import';

/** Null until something was imported. */
export async function findImportSource(
  source: Queryable,
  projectId: string,
): Promise<string | null> {
  const sources = await listSources(source, projectId);
  return sources.find(({ key }) => key === IMPORT_SOURCE.key)?.id ?? null;
}

/** The referral that names this participant as the referee. */
export async function findReferralOf(
  source: Queryable,
  projectId: string,
  participantId: string,
): Promise<Referral | undefined> {
  return (await listReferralsOfReferees(source, projectId, [participantId]))[0];
}

/**
 * Binds a participant to whose code it is, in a transaction that something else is part of. Whoever
 * calls has made sure that nothing is against it: a refusal is a fault.
 */
export async function importReferral(
  write: ProjectWrite,
  keyring: Keyring,
  told: {
    readonly sourceId: string;
    readonly participant: ParticipantRef & { readonly id: string };
    readonly code: string;
    readonly referredAt: Instant | null;
  },
): Promise<string> {
  const { id, kind, externalId } = told.participant;
  const event = normalizeEvent({
    sourceNamespaceId: told.sourceId,
    sourceEventId: id,
    type: IMPORT_TYPE,
    participant: { kind, externalId },
    refCode: told.code,
    ...(told.referredAt === null ? {} : { properties: { referredAt: told.referredAt } }),
  });
  const [outcome] = await takeFacts(write, keyring, [{ kind: 'import', event }]);
  if (!outcome) throw new Error('An import came to nothing.');
  if ('refused' in outcome) throw new Error(`Refused to bind ${id}: ${outcome.refused.message}`);
  const { attribution } = outcome.answer as TrackAnswer;
  if (!attribution) throw new Error('An import bound nobody.');
  return attribution.referralId;
}
