import type { Instant } from '../../../platform/kit/instant.ts';
import type { LedgerState } from '../../tracking/batch/facts.ts';
import type { TrackCommand } from '../../tracking/batch/needs.ts';
import type { PastEvent } from './history.ts';

/** A command of the fold, with the identities that its results had, and what else it is about. */
export interface Replayed {
  readonly command: TrackCommand;
  readonly now: Instant;
  /** The ids of the Event, its purchase, or the adjustment. */
  readonly ids: Readonly<Partial<Record<'evt' | 'pur' | 'padj' | 'sfact', string | undefined>>>;
  readonly eventNumber: number;
  readonly participantId: string;
  readonly actorParticipantId: string | null;
  readonly names: LedgerState['names'];
  readonly invoices: ReadonlyMap<string, string>;
  /** The purchase of an adjustment. */
  readonly purchaseId: string | null;
  readonly judged: PastEvent['risk'];
}
