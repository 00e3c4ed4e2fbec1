import type { FailureReason } from '../payouts/methods.ts';
import type { SubmitAnswer } from '../payouts/provider.ts';

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

/** Certainly not made; a retry may succeed. */
export function refused(failureReason: FailureReason, failureMessage: string): SubmitAnswer {
  return { state: 'refused', failureReason, failureMessage };
}

/** Certainly not made, and a retry cannot succeed. */
export function failed(failureReason: FailureReason, failureMessage: string): SubmitAnswer {
  return { state: 'failed', reference: null, failureReason, failureMessage };
}
