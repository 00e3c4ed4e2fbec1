import { AsyncLocalStorage } from 'node:async_hooks';

/** What happened during one call of the library, beyond its response. */
export interface AuthCall {
  readonly requestId: string;
  /** The user who was signed in before, if any. */
  readonly userId: string | null;
  /** The given code of a second factor. */
  readonly code: string | null;
  /** The address that a provider has verified. */
  vouchedEmail: string | null;
  /** The new session; it may have ended again while a second factor is required. */
  began: { readonly sessionId: string; readonly userId: string; readonly method: string } | null;
  wrongCodeOf: string | null;
  /** The user whose password was reset by a mailed link. */
  resetOf: string | null;
  /** The user who was linked to an account at the provider. */
  linkedTo: string | null;
  /** An internal error. */
  failure: unknown;
}

const calls = new AsyncLocalStorage<AuthCall>();

export function currentAuthCall(): AuthCall | undefined {
  return calls.getStore();
}

/** Runs one call and returns what happened in it. */
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
