import type { PartnerDeps } from '../partners/partner-deps.ts';
import type { RewardDeps } from '../rewards/reward-deps.ts';

/** What the lists need that are exported. */
export interface ExportDeps extends RewardDeps, PartnerDeps {}
