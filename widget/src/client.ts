import type { Codes } from './codes.ts';
import { Failure } from './failure.ts';
import { loadFile } from './load-file.ts';
import { fetch } from './natives.ts';
import type { WidgetOptions } from './options.ts';
import { type Fields, toJson } from './to-json.ts';
import { within } from './within.ts';

/** Inserted by the build: the name of the file with the codes. */
declare const CODES_FILE: string;

/** The maximum duration of a call, including everything it waits for. */
const CALL_MS = 20_000;

export interface Client {
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  send<T>(method: 'POST' | 'PUT', path: string, body: Fields): Promise<T>;
  /** The countries and currencies of accounts. */
  codes(): Promise<Codes>;
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/**
 * Calls the service as the participant of the token, which exists only in this closure. If the page
 * supplies a token of another person, the call fails and `onOther` is called: data of two people
 * must never be shown or saved together.
 */
export function createClient(
  root: string,
  { projectId, getToken }: Pick<WidgetOptions, 'projectId' | 'getToken'>,
  signal: AbortSignal,
  onOther: () => void,
): Client {
  let token: Promise<string> | null = null;
  let owner: string | null = null;

  /** Aborts a call after its time, and all calls when the panel ends. */
  function call<T>(asked: Call): Promise<T> {
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener('abort', end, { signal: stop.signal });
    return within(CALL_MS, attempt<T>(asked, stop.signal)).finally(end);
  }

  async function attempt<T>(asked: Call, stopped: AbortSignal): Promise<T> {
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
      const before = owner;
      owner = subjectOf(bearer);
      if (before !== null && before !== owner) {
        onOther();
        throw new Failure('failed');
      }
      const answer = await request(asked, bearer, stopped);
      if (answer.ok) return (await answer.json()) as T;
      // It has most likely expired: the first call to get here requests another, once.
      const failure = await toFailure(answer);
      if (answer.status === 401) forget();
      if (answer.status !== 401 || !isFirst) throw failure;
    }
  }

  return {
    get: (path, query = {}) => {
      const search = new URLSearchParams({ projectId, ...query });
      return call({ method: 'GET', url: `${root}${path}?${search}` });
    },
    send: (method, path, body) =>
      call({ method, url: root + path, body: toJson({ projectId, ...body }) }),
    codes: async () => {
      const loading = loadFile<Codes>(root, CODES_FILE, 'codes.json', signal);
      return (await within(CALL_MS, loading)) ?? failNow();
    },
  };
}

/** Unverified: the service checks it. */
function subjectOf(token: string): string {
  try {
    const claims = token.split('.')[1] ?? '';
    return String(JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))).sub);
  } catch {
    return '';
  }
}

async function takeToken(getToken: () => string | Promise<string>): Promise<string> {
  try {
    const token = await within(CALL_MS, getToken());
    if (typeof token === 'string' && token !== '') return token;
    throw new TypeError(`it returned ${token}`);
  } catch (error) {
    console.error('ServiceWidget: getToken failed', error);
  }
  return failNow();
}

function failNow(): never {
  throw new Failure(navigator.onLine ? 'failed' : 'offline');
}

async function request(
  { method, url, body }: Call,
  token: string,
  signal: AbortSignal,
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
    return failNow();
  }
}

async function toFailure(answer: Response): Promise<Failure> {
  // Read in any case, because the browser keeps the connection until then.
  const body = await answer.json().catch(() => null);
  const { status } = answer;
  if (status === 403) return new Failure('forbidden');
  if (status === 404 || status === 409) return new Failure('closed');
  if (status !== 400) return new Failure('failed');
  const issues = body?.error?.details;
  return new Failure('invalid', Array.isArray(issues) ? issues : []);
}
