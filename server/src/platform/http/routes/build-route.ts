import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import { IdText } from '../../kit/schema.ts';
import type { Principal, ProjectRef, WriteRequest } from '../access/principal.ts';
import type { Described, Route } from './route.ts';

export interface Shapes<
  Q extends TObject | undefined,
  B extends TObject | undefined,
  R extends TSchema,
> extends Described {
  readonly query?: Q;
  readonly body?: B;
  readonly answer: R;
  readonly keepsAnswer?: boolean;
  readonly bodyBytesMax?: number;
  readonly isCsv?: boolean;
  readonly status?: 202;
}

export type AnyShapes = Shapes<TObject | undefined, TObject | undefined, TSchema>;

type Parsed<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

export interface TypedCall<Q extends TObject | undefined, B extends TObject | undefined> {
  /** Path parameters by name; each is 1 to 512 characters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  readonly request: WriteRequest;
}

export interface ProjectCall<Q extends TObject | undefined, B extends TObject | undefined>
  extends TypedCall<Q, B> {
  readonly principal: Principal;
  readonly project: ProjectRef;
}

/** The types were checked against each other above; the app handles all routes alike. */
export function buildRoute(
  spec: AnyShapes & { handle(call: never): Promise<unknown> },
  rest: Pick<Route, 'access'> & Partial<Route>,
): Route {
  const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return {
    ...spec,
    query: spec.query,
    body: spec.body,
    projectIn: undefined,
    params:
      names.length === 0
        ? undefined
        : Type.Object(Object.fromEntries(names.map((name) => [name, IdText()]))),
    isForPages: false,
    keepsAnswer: spec.keepsAnswer ?? true,
    bodyBytesMax: spec.bodyBytesMax,
    signatureHeader: null,
    isStream: false,
    isCsv: spec.isCsv ?? false,
    status: spec.status ?? 200,
    handle: spec.handle as unknown as Route['handle'],
    ...rest,
  };
}

export function placeProject(
  spec: Pick<AnyShapes, 'method' | 'path' | 'query' | 'body'>,
  projectId: TSchema,
): Pick<Route, 'query' | 'body' | 'projectIn'> {
  const inBody = spec.method !== 'GET' && spec.method !== 'DELETE';
  const inPath = spec.path.includes('{projectId}');
  const field = inPath ? Type.Optional(projectId) : projectId;
  const withProject = (schema: TObject | undefined) => withField('projectId', field, schema);
  return {
    query: inBody ? spec.query : withProject(spec.query),
    body: inBody ? withProject(spec.body) : spec.body,
    projectIn: inPath ? 'path' : inBody ? 'body' : 'query',
  };
}

export function withField(name: string, field: TSchema, schema: TObject | undefined): TObject {
  return Type.Object({ [name]: field, ...schema?.properties }, { additionalProperties: false });
}
