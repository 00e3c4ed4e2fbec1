/** Something the person at the keyboard can act on: printed as it is, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** Calls the operator's routes of a running service. Every call ends with its answer or a CliError. */
export interface OperatorClient {
  readonly baseUrl: string;
  get<A>(path: string): Promise<A>;
  post<A>(path: string, body?: Record<string, unknown>): Promise<A>;
  put<A>(path: string, body: Record<string, unknown>): Promise<A>;
  patch<A>(path: string, body: Record<string, unknown>): Promise<A>;
  /** The newest rows, at most `limit`, over as many pages as it takes. */
  list<T>(path: string, query: Record<string, string>, limit: number): Promise<List<T>>;
}

export interface List<T> {
  readonly success: true;
  readonly data: T[];
  readonly nextCursor: string | null;
}

const TIMEOUT_MS = 30_000;
const PAGE_MAX = 100;

export function createClient(baseUrl: string, adminToken: string): OperatorClient {
  const send = async (method: string, pathAndQuery: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(baseUrl + pathAndQuery, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Whoever redirects is not the service, and must not get the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw unreachable(baseUrl, error);
    });
    const text = await response.text().catch((error: unknown) => {
      throw unreachable(baseUrl, error);
    });
    return readAnswer(baseUrl, response.status, text);
  };
  return {
    baseUrl,
    get: <A>(path: string) => send('GET', path) as Promise<A>,
    post: <A>(path: string, body?: Record<string, unknown>) =>
      send('POST', path, body) as Promise<A>,
    put: <A>(path: string, body: Record<string, unknown>) => send('PUT', path, body) as Promise<A>,
    patch: <A>(path: string, body: Record<string, unknown>) =>
      send('PATCH', path, body) as Promise<A>,
    async list<T>(path: string, query: Record<string, string>, limit: number) {
      const data: T[] = [];
      let nextCursor: string | null = null;
      do {
        const page: List<T> = (await send(
          'GET',
          `${path}?${new URLSearchParams({
            ...query,
            limit: String(Math.min(limit - data.length, PAGE_MAX)),
            ...(nextCursor === null ? {} : { cursor: nextCursor }),
          })}`,
        )) as List<T>;
        data.push(...page.data);
        nextCursor = page.nextCursor;
      } while (nextCursor !== null && data.length < limit);
      return { success: true, data, nextCursor };
    },
  };
}

/** The body of a success; a CliError with the service's own words for a refusal. */
export function readAnswer(baseUrl: string, status: number, text: string): unknown {
  const body = parse(text) as { success?: unknown; error?: Refusal } | undefined;
  if (status === 200 && body?.success === true) return body;
  const refusal = body?.success === false ? body.error : undefined;
  if (!refusal) {
    throw new CliError(
      `What answers at ${baseUrl} is not Goodword (HTTP ${status}). Set BASE_URL to where it is.`,
    );
  }
  const details = (refusal.details ?? []).map(({ path, issue }) => `\n  ${path} ${issue}`);
  throw new CliError(
    `${refusal.message}${details.length > 1 ? details.join('') : ''}\nRequest id: ${refusal.requestId}`,
  );
}

interface Refusal {
  readonly message: string;
  readonly requestId: string;
  readonly details: readonly { readonly path: string; readonly issue: string }[] | null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(baseUrl: string, error: unknown): CliError {
  const { name, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const why = name === 'TimeoutError' ? `not within ${TIMEOUT_MS / 1000} s` : (code ?? name);
  return new CliError(
    `Goodword does not answer at ${baseUrl} (${why}).\nStart it with: npm start\nIf it runs elsewhere, set BASE_URL, or PORT for another port of this machine.`,
  );
}
