import type { RiskLists } from '../schema.ts';

/** A list as stored: with the hashes by which networks are compared. */
export type StoredList = RiskLists['allowed'] & { readonly networkHashes: readonly string[] };

export interface StoredLists {
  readonly allowed: StoredList;
  readonly watched: StoredList;
}
