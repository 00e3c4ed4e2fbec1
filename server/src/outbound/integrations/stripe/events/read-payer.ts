import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { Payer } from './stripe-fact.ts';

type Metadata = Readonly<Record<string, string>> | null | undefined;
/** Stripe sends either an id or the whole object. */
type Named = string | { readonly id: string } | null | undefined;

const EXTERNAL_ID_CHARS_MAX = 512;

export function idOf(named: Named): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null);
}

/** The first metadata that names a participant counts. */
export function readPayer(customer: Named, ...metadata: readonly Metadata[]): Payer {
  const named = metadata.flatMap((one) => readParticipant(one) ?? []);
  return { customerId: idOf(customer), participant: named[0] ?? null };
}

/** An individual unless `participant_kind` says `group`; null if nobody is named. */
export function readParticipant(metadata: Metadata): ParticipantRef | null {
  const externalId = metadata?.participant_external_id;
  const kind = metadata?.participant_kind ?? 'individual';
  if (!externalId || (kind !== 'individual' && kind !== 'group')) return null;
  const isName =
    /\S/.test(externalId) &&
    externalId.length <= EXTERNAL_ID_CHARS_MAX &&
    externalId.isWellFormed() &&
    !externalId.includes('\0');
  return isName ? { kind, externalId } : null;
}
