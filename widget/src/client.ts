import { Failure } from './failure.ts';
import { fetch } from './natives.ts';
import { type Fields, toJson } from './to-json.ts';

export interface Client {
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  send<T>(method: 'POST' | 'PUT', path: string, body: Fields): Promise<T>;
}

/** Calls the service as the participant of the token, which is nowhere but in this closure. */
export function createClient(
  root: string,
  projectId: string,
  getToken: () => string | Promise<string>,
  signal: AbortSignal,
): Client {
  let token: Promise<string> | null = null;

  async function call<T>(method: string, url: string, body?: string): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      token ??= takeToken(getToken);
      const used = token;
      const forget = () => {
        if (token === used) token = null;
      };
      const bearer = await used.catch((error) => {
        forget();
        throw error;
      });
      const answer = await request(method, url, bearer, signal, body);
      if (answer.ok) return answer.json() as Promise<T>;
      // It has expired, most likely: whoever comes first asks for another, once.
      const failure = await toFailure(answer);
      if (answer.status === 401) forget();
      if (answer.status !== 401 || !isFirst) throw failure;
    }
  }

  return {
    get: (path, query = {}) => {
      const search = new URLSearchParams({ projectId, ...query });
      return call('GET', `${root}${path}?${search}`);
    },
    send: (method, path, body) => call(method, root + path, toJson({ projectId, ...body })),
  };
}

async function takeToken(getToken: () => string | Promise<string>): Promise<string> {
  try {
    const token = await getToken();
    if (typeof token === 'string' && token !== '') return token;
  } catch (error) {
    console.error('ServiceWidget: getToken failed', error);
  }
  throw new Failure(navigator.onLine ? 'failed' : 'offline');
}

async function request(
  method: string,
  url: string,
  token: string,
  signal: AbortSignal,
  body?: string,
): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(url, {
      method,
      headers,
      credentials: 'omit',
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch {
    throw new Failure(navigator.onLine ? 'failed' : 'offline');
  }
}

async function toFailure(answer: Response): Promise<Failure> {
  // Read in any case: until then the browser keeps the connection.
  const body = await answer.json().catch(() => null);
  const { status } = answer;
  if (status === 403) return new Failure('forbidden');
  if (status === 404 || status === 409) return new Failure('closed');
  if (status !== 400) return new Failure('failed');
  const issues = body?.error?.details;
  return new Failure('invalid', Array.isArray(issues) ? issues : []);
}
