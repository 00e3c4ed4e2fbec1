import { AppError } from '../kit/errors.ts';
import { invalidRequest } from './validate.ts';

/*
 * Checking a body, and above all saying what is wrong with it, costs far more than parsing it. These
 * limits are checked right after parsing. Each is well above what any route takes.
 */
export const DEPTH_MAX = 32;
/** Items of one array. */
export const ITEMS_MAX = 1_000;
/** Fields of one object. */
export const FIELDS_MAX = 256;
/** Characters of one field name. */
export const NAME_LENGTH_MAX = 256;
/** Values in a body, each item and each field counted. */
export const VALUES_MAX = 60_000;

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

interface Open {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/** Walks without recursion: depth is the caller's to choose until it is checked. */
function assertStorable(root: unknown): void {
  const open: Open[] = [{ value: root, path: '', depth: 0 }];
  let values = 0;
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      assertText(value, path);
    } else if (value !== null && typeof value === 'object') {
      if (depth === DEPTH_MAX) throw reject(path, `is nested deeper than ${DEPTH_MAX} levels`);
      const names = namesOf(value, path);
      values += names.length;
      if (values > VALUES_MAX) throw reject('', `has more than ${VALUES_MAX} values`);
      for (const name of names) {
        open.push({
          value: (value as Record<string, unknown>)[name],
          path: path === '' ? name : `${path}.${name}`,
          depth: depth + 1,
        });
      }
    }
  }
}

function namesOf(value: object, path: string): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length > ITEMS_MAX) throw reject(path, `has more than ${ITEMS_MAX} items`);
    return Object.keys(value);
  }
  const names = Object.keys(value);
  if (names.length > FIELDS_MAX) throw reject(path, `has more than ${FIELDS_MAX} fields`);
  for (const name of names) {
    if (name.length > NAME_LENGTH_MAX)
      throw reject(path, `has a field name of more than ${NAME_LENGTH_MAX} characters`);
    if (!isStorable(name)) throw reject(path, 'has a field name with a NUL or a lone surrogate');
    if (name === '__proto__') throw reject(path, 'has a field named __proto__');
  }
  return names;
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
