import { CliError, EXIT } from '../cli-error.ts';
import type { FindCredential } from '../credentials.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** An API key will do; else the operator's token is needed. */
  readonly takesKey: boolean;
}

/** Calls a running service. Every call ends with its answer or a CliError. */
export interface Client {
  readonly baseUrl: string;
  /** The body of a success. */
  call<A>(request: Request): Promise<A>;
  /** A success whose body is still to be read: a table, a stream. */
  open(request: Request, signal?: AbortSignal): Promise<Response>;
}

const TIMEOUT_MS = 30_000;

export function createClient(baseUrl: string, findCredential: FindCredential): Client {
  const send = async (request: Request, signal: AbortSignal): Promise<Response> => {
    const credential = await findCredential(request.takesKey);
    const { body } = request;
    return fetch(addressOf(baseUrl, request), {
      method: request.method,
      headers: {
        ...credential,
        ...request.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Whoever redirects is not the service, and must not get the token.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw unreachable(baseUrl, error);
    });
  };
  const read = (response: Response): Promise<string> =>
    response.text().catch((error: unknown) => {
      throw unreachable(baseUrl, error);
    });
  return {
    baseUrl,
    async call<A>(request: Request) {
      const response = await send(request, AbortSignal.timeout(TIMEOUT_MS));
      return readAnswer(baseUrl, response.status, await read(response)) as A;
    },
    async open(request, signal = AbortSignal.timeout(TIMEOUT_MS)) {
      const response = await send(request, signal);
      if (response.status !== 200) readAnswer(baseUrl, response.status, await read(response));
      return response;
    },
  };
}

function addressOf(baseUrl: string, { path, query }: Request): string {
  const search = new URLSearchParams(query).toString();
  return `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
}

/** The body of a success; a CliError with the service's own words for a refusal. */
export function readAnswer(baseUrl: string, status: number, text: string): unknown {
  const body = parse(text) as { success?: unknown; error?: Refusal } | undefined;
  if (status === 200 && body?.success === true) return body;
  const refusal = body?.success === false ? body.error : undefined;
  if (!refusal) {
    throw new CliError(
      `What answers at ${baseUrl} is not Goodword (HTTP ${status}). Set GOODWORD_URL to where it is.`,
      EXIT.unreachable,
    );
  }
  throw new CliError(describeRefusal(refusal), EXIT.refused, body);
}

function describeRefusal({ code, reason, message, details, requestId }: Refusal): string {
  const issues = (details ?? []).map(({ path, issue }) => `  ${path} ${issue}\n`).join('');
  return `${code}${reason ? `/${reason}` : ''}: ${message}\n${issues}Request id: ${requestId}`;
}

interface Refusal {
  readonly code: string;
  readonly reason: string | null;
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
    `Goodword does not answer at ${baseUrl} (${why}).\nStart it with: npm start\nIf it runs elsewhere, set GOODWORD_URL, or PORT for another port of this machine.`,
    EXIT.unreachable,
  );
}
