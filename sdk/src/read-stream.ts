import { GoodwordError, toError } from './errors.ts';
import { readRetryAfter } from './retry.ts';
import { type AnyCall, linkedTo, type Transport } from './transport.ts';

/**
 * The feed sends a comment every 15 seconds, and a table has no pauses: a stream that is silent for
 * this long is dead.
 */
const SILENCE_MS = 60_000;

/**
 * A response of this type, piece by piece as it arrives. It is requested once, and may have any
 * length.
 */
export async function* readStream(
  transport: Transport,
  operation: string,
  type: string,
  { signal, ...call }: AnyCall,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { fetch } = transport.options;
  const { method, url, headers } = transport.prepare(operation, {
    ...call,
    headers: { accept: type, ...call.headers },
  });
  const connection = linkedTo(signal);
  /** The reader may take its time between two of these. */
  const awaited = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(connection.timeOut, SILENCE_MS);
    return work.finally(() => clearTimeout(timer));
  };
  try {
    const init = { method, headers, signal: connection.signal, redirect: 'manual' as const };
    const response = await awaited(fetch(url, init));
    const isMeant = (response.headers.get('content-type') ?? '').startsWith(type);
    if (!response.ok || !response.body || !isMeant) {
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
      const text = await awaited(response.text());
      throw toError(response.status, response.headers, text, retryAfterMs);
    }
    const reader = response.body.getReader();
    while (true) {
      const { done, value } = await awaited(reader.read());
      if (done) return;
      yield value;
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof GoodwordError) throw cause;
    throw new GoodwordError({ code: 'NO_ANSWER', message: 'The stream broke.', cause });
  } finally {
    connection.abort();
    connection.unlink();
  }
}
