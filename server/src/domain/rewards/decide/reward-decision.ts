import { AppError } from '../../../platform/kit/errors.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { RewardRow } from '../reward.ts';

/** The Reward after a decision, the same row if nothing changes; or the refusal. */
export type RewardDecision = { readonly reward: RewardRow } | { readonly refused: AppError };

/** The time of a decision, and the source of new ids. */
export interface Moment {
  readonly now: Instant;
  readonly newId: NewId;
}

/** Whether the product grants and revokes it: only then can it report either. */
export function isGrantedByProduct({ method }: Pick<RewardRow, 'method'>): boolean {
  return method === 'operator' || method === 'manual';
}

export function unsupportedMethod(message: string): AppError {
  return new AppError('UNSUPPORTED_DELIVERY_METHOD', message);
}
