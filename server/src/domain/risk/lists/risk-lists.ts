import type { Queryable } from '../../../platform/db/driver.ts';
import type { ConfigPart } from '../../../platform/feed/writer/config-cache.ts';
import { refKey } from '../../participants/participant-slice.ts';
import { findLists } from '../queries.ts';
import { emptyRisk, type ListedThings, type RiskBook } from '../risk-slice.ts';
import type { StoredList } from './stored-lists.ts';

/** The Project's lists inside a write: `write.config(RISK_BOOK)`. */
export const RISK_BOOK: ConfigPart<RiskBook> = { load: loadRiskBook };

export async function loadRiskBook(db: Queryable, projectId: string): Promise<RiskBook> {
  const row = await findLists(db, projectId);
  if (!row) return emptyRisk().book;
  return { allowed: toThings(row.lists.allowed), watched: toThings(row.lists.watched) };
}

function toThings({ emailDomains, networkHashes, participants }: StoredList): ListedThings {
  return {
    emailDomains: new Set(emailDomains),
    networks: new Set(networkHashes),
    participants: new Set(participants.map(refKey)),
  };
}
