import { ApiError } from './errors.ts';

/** A call of the sign-in routes, which are not part of the API: they have their own way to refuse. */
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
