import type { paths } from '@goodword/sdk';
import createClient from 'openapi-fetch';
import { toApiError } from './errors.ts';
import { send } from './send.ts';

export type { paths };

/** Every route of the API, with the session's cookie. */
export const api = createClient<paths>({
  baseUrl: '',
  credentials: 'same-origin',
  fetch: send,
});

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The response's data; throws a refusal as an `ApiError`. */
export async function answerOf<T>(call: Promise<Answered<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (data === undefined || data === null) throw toApiError(response, error);
  return data;
}

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';
type JsonOf<O> = O extends { responses: { 200: { content: { 'application/json': infer T } } } }
  ? T
  : never;

/** The response of a route, by its path and method. */
export type Answer<P extends keyof paths, M extends Method = 'get'> = JsonOf<paths[P][M]>;

/** The request body of a route. */
export type Body<P extends keyof paths, M extends Method = 'post'> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer T } };
}
  ? T
  : never;

/** One row of a route's list. */
export type Row<P extends keyof paths> = Answer<P> extends { data: (infer T)[] } ? T : never;
