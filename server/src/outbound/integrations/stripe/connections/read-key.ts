import type { Environment } from '../../../../platform/http/access/principal.ts';
import { invalid } from '../../../../platform/kit/errors.ts';

/**
 * Whether a restricted key moves real money. Fails with INVALID_REQUEST for a key that does not fit the
 * project: a sandbox must not reach real customers, and test payments must not earn real rewards.
 */
export function readLivemode(restrictedKey: string, environment: Environment): boolean {
  const livemode = restrictedKey.startsWith('rk_live_');
  if (livemode === (environment === 'live')) return livemode;
  throw invalid(
    'restrictedKey',
    `is a key of ${livemode ? 'live' : 'test'} mode, and this is a ${environment} project`,
  );
}
