import { ApiError } from './errors.ts';
import { KeptKeys } from './kept-keys.ts';

const HEADER = 'Idempotency-Key';
const keys = new KeptKeys();
let onSignedOut: () => void = () => {};

/** Called whenever the service no longer recognises the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/**
 * Sends a request of the API client; without a response it fails with an `ApiError` of status 0.
 */
export async function send(request: Request): Promise<Response> {
  const isWrite = request.method !== 'GET';
  const write = isWrite ? `${request.method} ${request.url} ${await request.clone().text()}` : '';
  if (isWrite && !request.headers.has(HEADER)) request.headers.set(HEADER, keys.keyFor(write));
  let response: Response;
  try {
    response = await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    const message = isWrite
      ? 'The service did not answer. The change may have been made anyway. Check before you try again.'
      : 'The service cannot be reached.';
    throw new ApiError(message, { status: 0, code: 'OFFLINE', cause });
  }
  if (response.status < 500) keys.settle(write);
  if (response.status === 401) onSignedOut();
  return response;
}
