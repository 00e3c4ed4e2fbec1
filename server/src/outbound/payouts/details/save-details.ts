import type { Tx } from '../../../platform/db/database.ts';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { decideDetailsChange } from './decide-details-change.ts';
import type { Details, DetailsOwner } from './details.ts';
import { type PayoutDetails, presentDetails } from './details-schema.ts';
import {
  type DetailsRow,
  deleteDetails,
  insertDetails,
  listDetails,
  updateUse,
} from './details-store.ts';
import { fingerprintDetails, maskDetails, openDetails, sealDetails } from './seal-details.ts';

interface SavingWrite {
  readonly tx: Tx;
  /** By the owner's clock. */
  readonly now: Instant;
  readonly newId: NewId;
}

export interface SavedDetails {
  readonly shown: PayoutDetails;
  /** False if they were saved before. */
  readonly isChange: boolean;
}

interface DetailsToSave {
  readonly workspaceId: string;
  readonly details: Details;
  /** Details that are not ready need an update, and nothing is paid to them until then. */
  readonly isReady?: boolean;
}

/** Saves an owner's details; the caller holds the lock on that owner. */
export async function saveDetails(
  write: SavingWrite,
  keyring: Keyring,
  owner: DetailsOwner,
  { workspaceId, details, isReady = true }: DetailsToSave,
): Promise<SavedDetails> {
  const { tx, now } = write;
  const records = await listDetails(tx, owner.projectId, owner.kind, [owner.id]);
  const text = canonicalJson(details);
  const isSame = (record: DetailsRow) =>
    canonicalJson(openDetails(keyring, owner, record.id, record)) === text;
  const { deleted, kept, insertedFrom, isChange } = decideDetailsChange(records, isSame, now);
  if (deleted.length > 0) deleteDetails(tx, owner, deleted);
  if (kept) updateUse(tx, owner, kept);
  const after = records
    .filter(({ id }) => !deleted.includes(id))
    .map((record) => (record.id === kept?.id ? { ...record, ...kept } : record));
  const inserted = insertedFrom === null ? null : write.newId('pdt');
  if (insertedFrom !== null && inserted !== null) {
    const id = inserted;
    const row: DetailsRow = {
      ownerId: owner.id,
      id,
      type: details.type,
      label: maskDetails(details),
      country: 'country' in details ? details.country : null,
      currency: 'currency' in details ? details.currency : null,
      fingerprint: fingerprintDetails(keyring, workspaceId, details),
      ...sealDetails(keyring, owner, id, details),
      savedAt: now,
      usedFrom: insertedFrom,
      usedUntil: null,
      failedAt: isReady ? null : now,
    };
    insertDetails(tx, owner, row);
    after.push(row);
  }
  const judged = after.map((record) => {
    if (record.id === inserted || isReady === (record.failedAt === null) || !isSame(record)) {
      return record;
    }
    const next = { ...record, failedAt: isReady ? null : now };
    updateUse(tx, owner, next);
    return next;
  });
  return { shown: presentDetails(judged, now), isChange };
}
