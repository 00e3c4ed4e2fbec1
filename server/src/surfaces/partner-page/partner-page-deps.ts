import type { PartnerRouteDeps } from '../../domain/partners/partner-deps.ts';
import type { FindPayable } from '../../domain/rewards/queries.ts';
import type { RecordNetwork } from '../../domain/risk/networks/record-network.ts';

export type PartnerPageDeps = PartnerRouteDeps & {
  readonly findPayable: FindPayable;
  readonly recordNetwork: RecordNetwork;
};
