import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { AppError, type Issue } from '../../kit/errors.ts';
import {
  ACCEPTED_MINOR_PATTERN,
  MEASURE_PATTERN,
  POSITIVE_MEASURE_PATTERN,
  POSITIVE_MINOR_PATTERN,
} from '../../kit/money.ts';
import { COUNT_PATTERN, EMAIL_FORMATS, LINE_PATTERN, STORED_EMAIL } from '../../kit/schema.ts';
import { joinPath, splitUniqueItems } from './unique-items.ts';

export const ISSUES_MAX = 20;
// A problem in a union counts for every branch, before duplicates are removed.
Settings.Set({ maxErrors: 5 * ISSUES_MAX });
const UNKNOWN_FIELD = 'is not a known field';
/** Maximum shown length of a path: callers choose the names in it. */
const PATH_LENGTH_MAX = 300;

interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
}

/** Fails with INVALID_REQUEST, naming each problem and its path, unless `value` is valid. */
export type Check = (value: unknown) => void;

/** Services of one process check the same schemas. */
const compiled = new WeakMap<TSchema, ReturnType<typeof prepare>>();

/** Compiles with the first value: a start that compiles every schema takes half as long again. */
function prepare(schema: TSchema) {
  const { rest, findRepeats } = splitUniqueItems(schema);
  let validator: ReturnType<typeof Compile> | undefined;
  const getValidator = () => {
    validator ??= Compile(rest);
    return validator;
  };
  return { getValidator, findRepeats };
}

export function compileCheck(schema: TSchema, what: 'body' | 'query' | 'path'): Check {
  const parts = compiled.get(schema) ?? prepare(schema);
  compiled.set(schema, parts);
  const { getValidator, findRepeats } = parts;
  return (value) => {
    const validator = getValidator();
    const repeats = findRepeats(value);
    const fits = validator.Check(value);
    if (fits && repeats.length === 0) return;
    const faults = fits ? [] : (validator.Errors(value) as unknown as Fault[]);
    throw invalidRequest([...describeFaults(faults), ...repeats].slice(0, ISSUES_MAX), what);
  };
}

export function invalidRequest(details: readonly Issue[], what: string): AppError {
  const [first] = details;
  const where = first?.path ? `${first.path} ` : `the ${what} `;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new AppError('INVALID_REQUEST', `Invalid request: ${where}${first?.issue}${more}.`, {
    details,
  });
}

function describeFaults(faults: readonly Fault[]): Issue[] {
  const issues = new Map<string, Issue>();
  const types = new Map<string, Set<string>>();
  const add = (whole: string, issue: string) => {
    const path = clip(whole);
    issues.set(`${path}\n${issue}`, { path, issue });
  };
  for (const fault of faults) {
    if (issues.size >= ISSUES_MAX) break;
    const path = toDotted(fault.instancePath);
    if (fault.keyword === 'required') {
      for (const name of fault.params.requiredProperties as string[])
        add(joinPath(path, name), 'is required');
    } else if (fault.keyword === 'additionalProperties') {
      for (const name of fault.params.additionalProperties as string[]) {
        add(joinPath(path, name), UNKNOWN_FIELD);
      }
    } else if (fault.keyword === 'boolean') {
      // The same for a single field: this is all there is if the library stops early.
      add(path, UNKNOWN_FIELD);
    } else if (fault.keyword === 'type' && !isNoise(fault, faults)) {
      const known = types.get(path) ?? new Set();
      types.set(path, known.add(String(fault.params.type)));
      // What a union accepts is one sentence.
      issues.set(`${path}\ntype`, { path: clip(path), issue: describeTypes([...known]) });
    } else if (!isNoise(fault, faults)) {
      add(path, describe(fault));
    }
  }
  return [...issues.values()];
}

function describeTypes(types: readonly string[]): string {
  const words = types.map((type) => `${ARTICLES[type] ?? 'a'} ${type}`);
  const last = words.at(-1);
  return words.length === 1
    ? `must be ${last}`
    : `must be ${words.slice(0, -1).join(', ')} or ${last}`;
}

function clip(path: string): string {
  return path.length <= PATH_LENGTH_MAX ? path : `${path.slice(0, PATH_LENGTH_MAX)}…`;
}

/** Additional errors of a union besides those of the intended branch. */
function isNoise(fault: Fault, faults: readonly Fault[]): boolean {
  const others = faults.filter(
    (other) => other !== fault && other.instancePath.startsWith(fault.instancePath),
  );
  if (fault.keyword === 'anyOf') return others.length > 0;
  const inUnion = others.some(
    ({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === fault.instancePath,
  );
  const isDeeper = others.some(({ instancePath }) => instancePath !== fault.instancePath);
  if (inUnion && isDeeper) return true;
  if (isBlank(fault) && others.some((other) => isEmpty(other, fault.instancePath))) return true;
  const isNullBranch = fault.keyword === 'type' && fault.params.type === 'null';
  return isNullBranch && others.some((other) => other.keyword !== 'anyOf');
}

const isBlank = ({ keyword, params }: Fault) =>
  keyword === 'pattern' && (params.pattern === '\\S' || params.pattern === LINE_PATTERN);

/** An empty text is reported as empty, not also as blank. */
const isEmpty = ({ keyword, instancePath }: Fault, path: string) =>
  keyword === 'minLength' && instancePath === path;

const ARTICLES: Record<string, string> = { integer: 'an', object: 'an', array: 'an' };

function describe({ keyword, params }: Fault): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty'
        : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'pattern':
      return describePattern(String(params.pattern));
    case 'format':
      return EMAIL_FORMATS.includes(String(params.format))
        ? NO_EMAIL
        : 'must be a time like 2026-11-15T09:30:00Z, with seconds and an offset';
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minItems':
      return `must have at least ${params.limit} items`;
    case 'maxItems':
      return `must have at most ${params.limit} items`;
    case 'maxProperties':
      return `must have at most ${params.limit} entries`;
    default:
      return 'is not valid here';
  }
}

function toDotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** Query values arrive as text: integers and booleans are converted as the schema says. */
export function coerceQuery(
  schema: TObject,
  query: Record<string, unknown>,
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = query[name];
    if (value === undefined) continue;
    const type = (property as { type?: unknown }).type;
    if (type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)) {
      known[name] = Number(value);
    } else if (type === 'boolean' && (value === 'true' || value === 'false')) {
      known[name] = value === 'true';
    } else {
      known[name] = value;
    }
  }
  return known;
}

const NO_EMAIL = 'must be an e-mail address, such as ada@example.com';
const MINOR = 'must be a whole number of the smallest unit (cents), as text';

/** The patterns of the schemas in words, because few people read regular expressions. */
const WORDS: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  [LINE_PATTERN]: 'must be one line that is not blank',
  [STORED_EMAIL]: NO_EMAIL,
  '^[A-Za-z0-9][A-Za-z0-9-]{1,30}[A-Za-z0-9]$':
    'must have 3 to 32 letters (a–z), digits or hyphens, and no hyphen at either end',
  '^[A-Za-z0-9][A-Za-z0-9-]{1,48}[A-Za-z0-9]$':
    'must have 3 to 50 letters (a–z), digits or hyphens, and no hyphen at either end',
  '^[a-z][a-z0-9_]{0,63}$':
    'must have at most 64 lower-case letters, digits or underscores, and begin with a letter',
  '^[a-z][a-z0-9-]{0,62}$':
    'must have at most 63 lower-case letters, digits or hyphens, and begin with a letter',
  '^[a-z0-9_-]{1,64}$': 'must have 1 to 64 lower-case letters, digits, underscores or hyphens',
  '^(signup|purchase|custom_[A-Za-z0-9_.:-]{1,57})$':
    'must be signup, purchase, or custom_ and 1 to 57 letters (a–z), digits or any of _ . : -',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'must be a day, such as 2026-11-15',
  '^[0-9]{4}-[0-9]{2}$': 'must be a month, such as 2026-11',
  '^[A-Za-z]{2}$': 'must be a country code of two letters, such as DE',
  '^[A-Za-z]{3}$': 'must be a currency code of three letters, such as USD',
  '^(0|[1-9][0-9]{0,17})$': `${MINOR}, such as "1050"`,
  [ACCEPTED_MINOR_PATTERN]: `${MINOR} of at most 15 digits, such as "1050"`,
  [POSITIVE_MINOR_PATTERN]: `${MINOR} of at most 15 digits, above zero, such as "1050"`,
  [MEASURE_PATTERN]: 'must be a whole number, as text of at most 15 digits, such as "5"',
  [POSITIVE_MEASURE_PATTERN]:
    'must be a whole number above zero, as text of at most 15 digits, such as "5"',
  '^(0|-?[1-9][0-9]*)$': `${MINOR}, such as "1050" or "-1050"`,
  '^-?[1-9][0-9]{0,17}$': `${MINOR}, not zero, such as "1050" or "-1050"`,
  '^(0|[1-9][0-9]*)$': 'must be the nextOffset of the previous page',
  '^(0|[1-9][0-9]{0,8})$': 'must be the nextOffset of the previous page',
  [COUNT_PATTERN]: 'must be a whole number, as text of at most 12 digits, such as "12"',
  '^[!-~]+$': 'must have only letters (a–z), digits and signs, without spaces',
  '^[1-9][0-9]{0,18}$': 'must be a number of at most 19 digits',
  '^rk_(test|live)_[A-Za-z0-9]{8,240}$':
    'must be a restricted key of Stripe, which begins with rk_test_ or rk_live_',
  '^whsec_[A-Za-z0-9+/=_-]{8,240}$': 'must be a signing secret of Stripe, which begins with whsec_',
  '^[^,\\s]{1,64}(,[^,\\s]{1,64}){0,99}$': 'must be 1 to 100 ids, with commas between them',
  '^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)+$':
    'must be a domain, such as example.com',
  '^#[0-9A-Fa-f]{6}$': 'must be a colour, such as #1F5F4A',
  '^(?![\\s\\S]*([uU][rR][lL]|[sS][rR][cC]|[iI][mM][aA][gG][eE]|[sS][eE][tT])\\()[^;{}<>\\\\@]*$':
    'must be a plain CSS value: no url(), src(), image() or set(), and none of ; { } < > \\ @',
};

export const describePattern = (pattern: string): string =>
  WORDS[pattern] ?? 'must have the form that the API reference gives for it';
