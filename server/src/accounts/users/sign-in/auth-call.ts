import { AsyncLocalStorage } from 'node:async_hooks';

/** What happened during one call of the library, which its answer does not tell. */
export interface AuthCall {
  readonly requestId: string;
  /** Who was signed in before, if anybody. */
  readonly userId: string | null;
  /** The code of a second factor that was given. */
  readonly code: string | null;
  /** The address that a provider vouches for. */
  vouchedEmail: string | null;
  /** The session that began; it may have ended again, while a second factor is asked for. */
  began: { readonly sessionId: string; readonly userId: string; readonly method: string } | null;
  wrongCodeOf: string | null;
  /** Whose password was set anew by a mailed link. */
  resetOf: string | null;
  /** Who has an account at the provider from now on. */
  linkedTo: string | null;
  /** A fault of ours. */
  failure: unknown;
}

const calls = new AsyncLocalStorage<AuthCall>();

export function currentAuthCall(): AuthCall | undefined {
  return calls.getStore();
}

/** Runs one call, and tells what happened in it. */
export async function watchAuthCall<T>(
  asked: Pick<AuthCall, 'requestId' | 'userId' | 'code'>,
  run: () => Promise<T>,
): Promise<{ answer: T; call: AuthCall }> {
  const call: AuthCall = {
    ...asked,
    vouchedEmail: null,
    began: null,
    wrongCodeOf: null,
    resetOf: null,
    linkedTo: null,
    failure: null,
  };
  return { answer: await calls.run(call, run), call };
}
