import type { PartnerRouteDeps } from '../../domain/partners/partner-deps.ts';
import type { FindPayable } from '../../domain/rewards/queries.ts';

export type PartnerPageDeps = PartnerRouteDeps & { readonly findPayable: FindPayable };
