import { APIError } from 'better-auth/api';
import { systemClock } from '../../../platform/kit/clock.ts';
import { addMs, toInstant } from '../../../platform/kit/instant.ts';
import { insertOnce } from '../account-store.ts';
import type { UserDeps } from '../user-deps.ts';
import { currentAuthCall } from './auth-call.ts';
import { hashToken } from './session-token.ts';

/** A code is valid for its half minute, and those before and after. */
const CODE_KEPT_MS = 5 * 60_000;

/** A code of a second factor opens one session: anyone who saw it being typed cannot use it again. */
export async function spendCode(
  { database }: Pick<UserDeps, 'database'>,
  userId: string,
): Promise<void> {
  const call = currentAuthCall();
  if (!call) return;
  // By the library's clock, which codes and the deletion of expired rows also use.
  const now = toInstant(systemClock.nowMs());
  const id = `code_${hashToken(`${userId} ${call.code}`)}`;
  const isFirst = await database.transaction((tx) =>
    insertOnce(tx, id, now, addMs(now, CODE_KEPT_MS)),
  );
  if (isFirst) return;
  call.wrongCodeOf = userId;
  throw new APIError('UNAUTHORIZED', {
    code: 'INVALID_CODE',
    message: 'This code was used already: wait for the next one.',
  });
}
