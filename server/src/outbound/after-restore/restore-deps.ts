import type { Providers } from '../integrations/providers.ts';
import type { RecordDeps } from '../payouts/advances/record-transfers.ts';

export interface RestoreDeps extends RecordDeps, Pick<Providers, 'rewardProviders'> {}
