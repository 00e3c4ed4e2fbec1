import { AppError } from '../../../platform/kit/errors.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { RewardRow } from '../reward.ts';

/** What becomes of a Reward, the same row if nothing changes; or why that cannot be. */
export type RewardDecision = { readonly reward: RewardRow } | { readonly refused: AppError };

/** When something is decided, and where new ids come from. */
export interface Moment {
  readonly now: Instant;
  readonly newId: NewId;
}

/** Whether the product grants it and takes it back: only then can it tell of either. */
export function isGrantedByProduct({ method }: Pick<RewardRow, 'method'>): boolean {
  return method === 'operator' || method === 'manual';
}

export function unsupportedMethod(message: string): AppError {
  return new AppError('UNSUPPORTED_DELIVERY_METHOD', message);
}
