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

/** Who is bound to whose code. */
export interface ImportedReferral {
  readonly participant: ParticipantRef & { readonly id: string };
  readonly code: string;
  readonly referredAt: Instant | null;
}

/**
 * Binds participants to whose codes these are, in a transaction that something else is part of;
 * returns the ids of their referrals, in order. Whoever calls has made sure that nothing is against
 * it: a refusal is a fault.
 */
export async function importReferrals(
  write: ProjectWrite,
  keyring: Keyring,
  sourceId: string,
  referrals: readonly ImportedReferral[],
): Promise<string[]> {
  const commands = referrals.map(({ participant: { id, kind, externalId }, code, referredAt }) => ({
    kind: 'import' as const,
    event: normalizeEvent({
      sourceNamespaceId: sourceId,
      sourceEventId: id,
      type: IMPORT_TYPE,
      participant: { kind, externalId },
      refCode: code,
      ...(referredAt === null ? {} : { properties: { referredAt } }),
    }),
  }));
  const outcomes = await takeFacts(write, keyring, commands);
  return outcomes.map((outcome) => {
    if ('refused' in outcome) throw new Error(`Refused to bind: ${outcome.refused.message}`);
    const { attribution } = outcome.answer as TrackAnswer;
    if (!attribution) throw new Error('An import bound nobody.');
    return attribution.referralId;
  });
}
