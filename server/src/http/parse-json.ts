import { AppError } from '../kit/errors.ts';
import { invalidRequest } from './validate.ts';

export const DEPTH_MAX = 32;

/** Reads a request body. Ends with INVALID_REQUEST for what is not JSON, or JSON that cannot be stored. */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8.');
  }
  assertStorable(value);
  return value;
}

/** Walks without recursion: depth is the caller's to choose until it is checked. */
function assertStorable(root: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: '', depth: 0 },
  ];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      assertText(value, path);
    } else if (value !== null && typeof value === 'object') {
      if (depth === DEPTH_MAX) throw reject(path, `is nested deeper than ${DEPTH_MAX} levels`);
      for (const [name, member] of Object.entries(value)) {
        if (!isStorable(name))
          throw reject(path, 'has a field name with a NUL or a lone surrogate');
        if (name === '__proto__') throw reject(path, 'has a field named __proto__');
        open.push({
          value: member,
          path: path === '' ? name : `${path}.${name}`,
          depth: depth + 1,
        });
      }
    }
  }
}

export function assertText(value: string, path: string): void {
  if (!isStorable(value)) throw reject(path, 'must not contain NUL or a lone surrogate');
}

/** PostgreSQL's text takes neither NUL nor half of a surrogate pair. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function reject(path: string, issue: string): AppError {
  return invalidRequest([{ path, issue }], 'body');
}
