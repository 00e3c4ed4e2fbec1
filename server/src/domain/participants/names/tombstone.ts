import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { ParticipantKind } from '../schema.ts';

/** An external id of one kind, or a name in shared links. */
type TombstoneKind = ParticipantKind | 'name';

export interface Tombstone {
  readonly kind: TombstoneKind;
  readonly hash: string;
}

/** Deterministic: the same name always gives the same tombstone. Without the key nobody can find out the name. */
export function tombstoneOf(
  keyring: Keyring,
  projectId: string,
  kind: TombstoneKind,
  text: string,
): Tombstone {
  const hash = keyring.hmac('tombstone', `${projectId}\n${kind}\n${text}`).toString('base64url');
  return { kind, hash };
}

const ERASED_NAME = /^deleted_par_[0-9a-z]{26}$/;

/** Replaces an erased name; contains the id, so two are never the same. */
export function erasedName(id: string): string {
  return `deleted_${id}`;
}

/** Whether a caller's external id has the form that erased participants show. */
export function isErasedExternalId(externalId: string): boolean {
  return ERASED_NAME.test(externalId);
}
