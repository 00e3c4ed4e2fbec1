import { ApiError } from './errors.ts';

/** Calls a sign-in route. These are not part of the API and have their own format of refusals. */
export async function callAuth<T = unknown>(path: string, body?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/console/auth${path}`, {
      method: body ? 'POST' : 'GET',
      credentials: 'same-origin',
      ...(body
        ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : {}),
    });
  } catch (cause) {
    throw new ApiError('The service cannot be reached.', { status: 0, code: 'OFFLINE', cause });
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    const message = answer?.error?.message ?? answer?.message;
    throw new ApiError(message ?? `The service answered ${response.status}.`, {
      status: response.status,
      code: answer?.error?.code ?? answer?.code ?? 'UNKNOWN',
      requestId: response.headers.get('x-request-id'),
    });
  }
  return answer as T;
}
