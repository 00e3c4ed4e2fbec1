import { AppError } from '../../kit/errors.ts';
import { joinPath } from './unique-items.ts';
import { invalidRequest } from './validate.ts';

/*
 * Validating a body, and above all reporting what is wrong with it, costs far more than parsing it.
 * These limits are checked before anything else in a body. Each is well above what any route
 * accepts.
 */
export const DEPTH_MAX = 32;
/** Items of one array. */
export const ITEMS_MAX = 1_000;
/** Fields of one object. */
export const FIELDS_MAX = 256;
/** Characters of one field name. */
export const NAME_LENGTH_MAX = 256;
/** Values in a body, counting each item and each field. */
export const VALUES_MAX = 60_000;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a request body. Fails with INVALID_REQUEST for invalid JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8.');
  }
}

interface Open {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
  readonly isAny: boolean;
}

/**
 * Fails with INVALID_REQUEST for a body that is too large or cannot be stored. Text at and below
 * the paths in `anyText` is not checked: the operation must not store it unchanged. Walks without
 * recursion: callers choose the depth until it is checked.
 */
export function assertStorable(root: unknown, anyText: readonly string[] = []): void {
  const open: Open[] = [{ value: root, path: '', depth: 0, isAny: false }];
  let values = 0;
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path, depth } = item;
    const isAny = item.isAny || anyText.includes(path);
    if (typeof value === 'string') {
      if (!isAny) assertText(value, path);
    } else if (value !== null && typeof value === 'object') {
      if (depth === DEPTH_MAX) throw reject(path, `is nested deeper than ${DEPTH_MAX} levels`);
      const names = namesOf(value, path, isAny);
      values += names.length;
      if (values > VALUES_MAX) throw reject('', `has more than ${VALUES_MAX} values`);
      for (const name of names) {
        open.push({
          value: (value as Record<string, unknown>)[name],
          path: joinPath(path, name),
          depth: depth + 1,
          isAny,
        });
      }
    }
  }
}

function namesOf(value: object, path: string, isAny: boolean): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length > ITEMS_MAX) throw reject(path, `has more than ${ITEMS_MAX} items`);
    return Object.keys(value);
  }
  const names = Object.keys(value);
  if (names.length > FIELDS_MAX) throw reject(path, `has more than ${FIELDS_MAX} fields`);
  for (const name of names) {
    if (name.length > NAME_LENGTH_MAX)
      throw reject(path, `has a field name of more than ${NAME_LENGTH_MAX} characters`);
    if (isAny) continue;
    if (!isStorable(name)) throw reject(path, 'has a field name with a NUL or a lone surrogate');
    if (name === '__proto__') throw reject(path, 'has a field named __proto__');
  }
  return names;
}

export function assertText(value: string, path: string): void {
  if (!isStorable(value)) throw reject(path, 'must not contain NUL or a lone surrogate');
}

/** PostgreSQL's text cannot contain NUL or half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function reject(path: string, issue: string): AppError {
  return invalidRequest([{ path, issue }], 'body');
}
