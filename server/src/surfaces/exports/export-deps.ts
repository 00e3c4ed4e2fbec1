import type { PartnerDeps } from '../../domain/partners/partner-deps.ts';
import type { RewardDeps } from '../../domain/rewards/reward-deps.ts';

/** The dependencies of the exported lists. */
export interface ExportDeps extends RewardDeps, PartnerDeps {}
