import type { ConfigTx } from '../../../platform/feed/writer/project-write.ts';
import { insertDays, updateDaysFrom } from './measure-store.ts';

/** Counts the facts of a Program by day: those since `from` now, and all later ones. Once for a Program. */
export function countDays(tx: ConfigTx, projectId: string, programId: string, from: string): void {
  insertDays(tx, projectId, programId, from);
  updateDaysFrom(tx, projectId, programId, from);
}
