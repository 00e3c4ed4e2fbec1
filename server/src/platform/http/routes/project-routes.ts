import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import { ProjectIdText } from '../../kit/schema.ts';
import type { Permission } from '../access/permissions.ts';
import type { CsvPages, CsvText, JsonText, OpenStream } from './answers.ts';
import {
  buildRoute,
  type ProjectCall,
  placeProject,
  type Shapes,
  withField,
} from './build-route.ts';
import type { Described, Route } from './route.ts';

/**
 * A route about one Project, for a key with the permissions or the operator. `projectId` is added
 * to the body of POST, PUT and PATCH and to the query of GET and DELETE; if the path has it, it may
 * be omitted there, and must be the same if not.
 */
export function projectRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly permissions: readonly Permission[];
    handle(call: ProjectCall<Q, B>): Promise<Static<R> | JsonText | CsvText | CsvPages>;
  },
): Route {
  const access = { by: 'key', permissions: spec.permissions } as const;
  return buildRoute(spec, { access, ...placeProject(spec, ProjectIdText) });
}

/** A route about one Project for operators only; `projectId` is where `projectRoute` has it. */
export function projectOperatorRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & { handle(call: ProjectCall<Q, B>): Promise<Static<R> | CsvPages> },
): Route {
  const access = { by: 'operator', about: 'project', permission: null } as const;
  return buildRoute(spec, { access, ...placeProject(spec, ProjectIdText) });
}

/**
 * A GET about one Project that does not end: it responds with server-sent events. An error thrown
 * by `handle` is a normal refusal; the stream it returns begins afterwards.
 */
export function streamRoute<Q extends TObject>(
  spec: Omit<Described, 'method'> & {
    readonly permissions: readonly Permission[];
    readonly query: Q;
    handle(
      call: ProjectCall<Q, undefined> & { readonly lastEventId: string | null },
    ): Promise<OpenStream>;
  },
): Route {
  const shapes = { ...spec, method: 'GET' as const, answer: Type.String() };
  return buildRoute(shapes, {
    access: { by: 'key', permissions: spec.permissions },
    query: withField('projectId', ProjectIdText, spec.query),
    projectIn: 'query',
    isStream: true,
  });
}
