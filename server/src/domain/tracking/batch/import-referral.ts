import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { isSelfReferral } from '../../attribution/decide-attribution.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import type { Referral, TrackAnswer } from '../event-schema.ts';
import { normalizeEvent } from '../intake/normalize-event.ts';
import { listSources } from '../queries.ts';
import type { RiskSources } from '../risk/load-risk.ts';
import { addSource } from '../sources.ts';
import { listReferralsOfReferees } from '../store.ts';
import { listCreators } from './creator-store.ts';
import { takeFacts } from './track-event.ts';

const IMPORT_TYPE = 'custom_import';

/**
 * The source of imported facts, created with the first import. Fails with CONFLICT
 * `source_disabled`, or `limit_reached`.
 */
export async function takeImportSource(
  write: ProjectWrite,
  request: WriteRequest,
): Promise<string> {
  const sources = await listSources(write.tx, write.projectId);
  const known = sources.find(({ kind }) => kind === 'import');
  if (known?.enabled === false) {
    throw conflict(
      'source_disabled',
      `The source ${known.key} is disabled and accepts no imports.`,
    );
  }
  if (known) return known.id;
  const keys = new Set(sources.map(({ key }) => key));
  let key = 'import';
  for (let number = 2; keys.has(key); number += 1) key = `import-${number}`;
  return (await addSource(write, request, { name: 'Import', key, kind: 'import' })).id;
}

/** The referral of which this participant is the referee. */
export async function findReferralOf(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<Referral | undefined> {
  return (await listReferralsOfReferees(db, projectId, [participantId]))[0];
}

/** Whether a participant would be bound to themselves, or to a group of their own. */
export async function isOwnReferral(
  db: Queryable,
  projectId: string,
  referrerId: string,
  participantId: string,
): Promise<boolean> {
  const creations = await listCreators(db, projectId, [referrerId, participantId]);
  const creatorOf = new Map(creations.map((one) => [one.participantId, one.creatorId]));
  const parties = { participantId, actorParticipantId: null };
  return isSelfReferral(referrerId, parties, (id) => creatorOf.get(id) ?? null);
}

/** A participant and the code that they are bound to. */
export interface ImportedReferral {
  readonly participant: ParticipantRef & { readonly id: string };
  readonly code: string;
  readonly referredAt: Instant | null;
}

/**
 * Binds participants to the owners of these codes, as part of a larger transaction; returns the ids
 * of their referrals, in order. The caller must have checked everything: a refusal is an internal
 * error.
 */
export async function importReferrals(
  write: ProjectWrite,
  sources: RiskSources,
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
  const outcomes = await takeFacts(write, sources, commands);
  return outcomes.map((outcome) => {
    if ('refused' in outcome) throw new Error(`Refused to bind: ${outcome.refused.message}`);
    const { attribution } = outcome.answer as TrackAnswer;
    if (!attribution) throw new Error('An import bound no referral.');
    return attribution.referralId;
  });
}
