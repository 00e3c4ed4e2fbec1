import type { TSchema } from 'typebox';
import {
  compileCheck,
  ISSUES_MAX,
  invalidRequest,
} from '../../../platform/http/routes/validate.ts';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';
import { API_VERSION, DOCUMENT_KIND, ProgramDefinition } from './definition-schema.ts';
import { readText } from './read-text.ts';
import { suggestName } from './suggest-name.ts';

const WHAT = 'definition';
const check = compileCheck(ProgramDefinition, 'body');

/**
 * A definition from YAML or JSON text, or from an object. Fails with INVALID_REQUEST, naming each problem by its path
 * in the file and, for text, its line.
 */
export function parseDefinition(given: unknown): ProgramDefinition {
  const read =
    typeof given === 'string' ? readText(given) : { value: given, lineOf: () => undefined };
  if ('issues' in read) throw invalidRequest(read.issues, WHAT);
  const { value, lineOf } = read;
  const issues = findIssues(value);
  if (issues.length === 0) return value as ProgramDefinition;
  throw invalidRequest(
    issues.map(({ path, issue }) => {
      const line = path === '' ? undefined : lineOf(path);
      return { path, issue: line === undefined ? issue : `${issue} (line ${line})` };
    }),
    WHAT,
  );
}

function findIssues(value: unknown): readonly Issue[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const issue = `must be an object that begins with apiVersion: ${API_VERSION} and kind: ${DOCUMENT_KIND}`;
    return [{ path: '', issue }];
  }
  try {
    check(value);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return (error.details ?? []).slice(0, ISSUES_MAX).map((issue) => explain(issue, value));
  }
}

/** Fields of the API that have no place in a file, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  effectiveAt:
    'is not part of a file: what a plan publishes takes effect when it is applied. Publish scheduled versions with the API',
  changeNote: 'is not part of a file: the note of a version names the file and the plan',
  customUnitId: 'is not part of a file: name the unit in `unit`, so that it works in every project',
  status: 'is not part of a file: activate, pause and end a program by its status',
  id: 'is not part of a file: a program and a rule have a key',
  metadata: 'is not a known field: key and name are at the top of the file',
  spec: 'is not a known field: its contents are at the top of the file',
};

function explain({ path, issue }: Issue, value: object): Issue {
  const names = path.split('.');
  const name = names.at(-1) ?? '';
  if (issue === 'is not a known field') {
    const schema = schemaAt(ProgramDefinition, names.slice(0, -1));
    if (schema?.patternProperties) {
      return { path, issue: `cannot be a key: ${describeKeys(schema)}` };
    }
    const meant = suggestName(name, Object.keys(schema?.properties ?? {}));
    const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
    if (elsewhere) return { path, issue: elsewhere };
    return { path, issue: meant ? `${issue}; did you mean ${meant}?` : issue };
  }
  if (issue === 'must be a string' && isScalar(valueAt(value, names))) {
    return { path, issue: 'must be text: put it in quotes' };
  }
  return { path, issue };
}

interface Node {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** The schema of what is at a path; for an optional field the one that is not null. */
function schemaAt(root: TSchema, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root as Node;
  for (const name of path) {
    const next: TSchema | undefined =
      node?.properties?.[name] ?? Object.values(node?.patternProperties ?? {})[0] ?? node?.items;
    const within = (next as Node | undefined)?.anyOf?.[0];
    node = (within ?? next) as Node | undefined;
  }
  return node;
}

function describeKeys({ patternProperties }: Node): string {
  const isOfStyle = Object.keys(patternProperties ?? {})[0]?.startsWith('^--');
  return isOfStyle
    ? 'a CSS variable begins with -- and has lower-case letters, digits and hyphens'
    : 'it begins with a letter and has at most 63 lower-case letters, digits and hyphens';
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
