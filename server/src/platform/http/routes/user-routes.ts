import type { Static, TObject, TSchema } from 'typebox';
import type { Permission } from '../access/permissions.ts';
import type { Principal, UserPrincipal } from '../access/principal.ts';
import type { CsvPages, WithCookies } from './answers.ts';
import { type AnyShapes, buildRoute, type Shapes, type TypedCall } from './build-route.ts';
import type { About, Route } from './route.ts';

interface OperatorCall<Q extends TObject | undefined, B extends TObject | undefined>
  extends TypedCall<Q, B> {
  readonly principal: Principal;
  /** The caller's Workspaces; null for all. */
  readonly workspaceIds: readonly string[] | null;
}

/** A route for operators only; with `{projectId}` in its path it is about that Project. */
export function operatorRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly about: About;
    /** The permission that a user's role needs instead of administering the Workspace. */
    readonly permission?: Permission;
    handle(call: OperatorCall<Q, B>): Promise<Static<R> | CsvPages | WithCookies<Static<R>>>;
  },
): Route {
  assertNamesWorkspace(spec);
  return buildRoute(spec, {
    access: { by: 'operator', about: spec.about, permission: spec.permission ?? null },
    projectIn: spec.path.includes('{projectId}') ? 'path' : undefined,
  });
}

/** A call must have the field by which its route finds the Workspace. */
function assertNamesWorkspace(
  spec: Pick<AnyShapes, 'path' | 'query' | 'body'> & { readonly about: About },
): void {
  const { about, path, query, body } = spec;
  const isNamed =
    typeof about === 'object'
      ? path.includes('{')
      : {
          project: path.includes('{projectId}'),
          path: path.includes('{workspaceId}'),
          query: query?.properties.workspaceId !== undefined,
          body: body?.required?.includes('workspaceId') === true,
          own: true,
          new: true,
        }[about];
  if (!isNamed)
    throw new Error(
      `A call of ${path} does not name its Workspace in the way that its route declares.`,
    );
}

/** A route for any signed-in user, whatever their role, and even if they may do nothing else yet. */
export function sessionRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    handle(call: TypedCall<Q, B> & { readonly principal: UserPrincipal }): Promise<Static<R>>;
  },
): Route {
  return buildRoute(spec, { access: { by: 'session' } });
}
