import type { Response } from 'undici';
import { CURRENCY_EXPONENTS } from '../../platform/kit/currencies.ts';
import { parseMajor } from '../../platform/kit/money.ts';
import type { FailureReason } from '../payouts/methods.ts';
import type { SubmitAnswer } from '../payouts/provider.ts';

/** From the first byte sent to the last byte received. */
const DEADLINE_MS = 20_000;
/** Many times the size of the longest page of a list. */
export const ANSWER_MAX = 4 * 1024 * 1024;
const USER_AGENT = 'Goodword';

export interface JsonCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a form; a string is sent as it is. */
  readonly body?: URLSearchParams | object | string;
}

export interface JsonAnswer {
  readonly status: number;
  /** Undefined if the response was not JSON. */
  readonly body: unknown;
}

/**
 * Calls once. Rejects if no complete response arrived in time; whether the call was carried out is
 * then unknown. Follows no redirects, because credentials must only reach the host they are for.
 */
export async function callJson({ method, url, headers, body }: JsonCall): Promise<JsonAnswer> {
  // Loaded with the first call: many services call no provider.
  const { fetch } = await import('undici');
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  return { status: response.status, body: toJson(await readText(response)) };
}

/** Rejects responses longer than any provider sends. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > ANSWER_MAX) throw new Error(`The response is longer than ${ANSWER_MAX} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Responses of other services may have any shape. */
export function fieldOf(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

export function textOf(value: unknown, ...path: (string | number)[]): string | null {
  const found = fieldOf(value, ...path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function listOf(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const found = fieldOf(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** An amount in major units, in minor units of ISO 4217; null if it cannot be read. */
export function minorOf(value: string | null, currency: string | null): bigint | null {
  const exponent = CURRENCY_EXPONENTS.get(currency ?? '');
  return value === null || exponent === undefined ? null : (parseMajor(value, exponent) ?? null);
}

/** Certainly not made; a retry may succeed. */
export function refused(failureReason: FailureReason, failureMessage: string): SubmitAnswer {
  return { state: 'refused', failureReason, failureMessage };
}

/** Certainly not made, and a retry cannot succeed. */
export function failed(failureReason: FailureReason, failureMessage: string): SubmitAnswer {
  return { state: 'failed', reference: null, failureReason, failureMessage };
}
