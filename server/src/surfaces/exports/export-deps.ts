import type { PartnerDeps } from '../../domain/partners/partner-deps.ts';
import type { RewardDeps } from '../../domain/rewards/reward-deps.ts';

/** What the lists need that are exported. */
export interface ExportDeps extends RewardDeps, PartnerDeps {}
