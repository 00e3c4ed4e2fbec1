import { AsyncLocalStorage } from 'node:async_hooks';

/** What happened during one call of the library, which its answer does not tell. */
export interface AuthCall {
  readonly requestId: string;
  /** The session that began; it may have ended again, while a second factor is asked for. */
  began: { readonly userId: string; readonly method: string } | null;
  wrongCodeOf: string | null;
  /** A fault of ours. */
  failure: unknown;
}

const calls = new AsyncLocalStorage<AuthCall>();

export function currentAuthCall(): AuthCall | undefined {
  return calls.getStore();
}

/** Runs one call, and tells what happened in it. */
export async function watchAuthCall<T>(
  requestId: string,
  run: () => Promise<T>,
): Promise<{ answer: T; call: AuthCall }> {
  const call: AuthCall = { requestId, began: null, wrongCodeOf: null, failure: null };
  return { answer: await calls.run(call, run), call };
}
