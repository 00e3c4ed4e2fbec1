import type { PartnerPageDeps as SignInDeps } from '../../domain/partners/partner-deps.ts';
import type { FindPayable } from '../../domain/rewards/reward-deps.ts';

export type PartnerPageDeps = Omit<
  SignInDeps,
  'writer' | 'eraseBesides' | 'applicationsPerMinute'
> & { readonly findPayable: FindPayable };
