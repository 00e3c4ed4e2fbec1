import { randomBytes } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { type Keyring, openWith, sealWith } from '../../../platform/kit/keyring.ts';
import type { Details, DetailsOwner } from './details.ts';

const KEY_BYTES = 32;

/** Stored details: encrypted with their own key, which the keyring's key wraps. */
export interface SealedDetails {
  readonly sealed: string;
  readonly wrappedKey: string;
}

/** Can only be decrypted for this owner and record. */
export function sealDetails(
  keyring: Keyring,
  owner: DetailsOwner,
  recordId: string,
  details: Details,
): SealedDetails {
  const key = randomBytes(KEY_BYTES);
  const context = contextOf(owner, recordId);
  return {
    sealed: sealWith(key, canonicalJson(details), context),
    wrappedKey: keyring.seal('payout-details', key.toString('base64'), context),
  };
}

/** Throws if it was sealed for another owner or record, or changed since. */
export function openDetails(
  keyring: Keyring,
  owner: DetailsOwner,
  recordId: string,
  { sealed, wrappedKey }: SealedDetails,
): Details {
  const context = contextOf(owner, recordId);
  const key = Buffer.from(keyring.open('payout-details', wrappedKey, context), 'base64');
  return JSON.parse(openWith(key, sealed, context)) as Details;
}

/** Ids contain no line break. */
function contextOf({ projectId, kind, id }: DetailsOwner, recordId: string): string {
  return [projectId, kind, id, recordId].join('\n');
}
