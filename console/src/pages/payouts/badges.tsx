import { StatusBadge } from '../../ui/status-badge.tsx';
import { BATCH_STATES, type Batch, PAYOUT_STATES, type Payout } from './states.ts';

export const BatchBadge = ({ status }: { status: Batch['status'] }) => (
  <StatusBadge {...BATCH_STATES[status]} />
);

export const PayoutBadge = ({ status }: { status: Payout['status'] }) => (
  <StatusBadge {...PAYOUT_STATES[status]} />
);
