import { StatusBadge } from '../../ui/status-badge.tsx';
import { type Batch, batchStateOf, type Payout, payoutStateOf } from './states.ts';

export const BatchBadge = ({ batch }: { batch: Batch }) => <StatusBadge {...batchStateOf(batch)} />;

export const PayoutBadge = ({ payout }: { payout: Pick<Payout, 'status' | 'method'> }) => (
  <StatusBadge {...payoutStateOf(payout)} />
);
