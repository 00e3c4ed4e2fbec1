import type { TSchema } from 'typebox';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { IdText } from '../../../platform/kit/schema.ts';
import type { CallRoute, Json } from './call-route.ts';

/** What an agent can call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When to use it, and what it returns: agents choose by it. */
  readonly description: string;
  /** A key without all of them does not see the tool. */
  readonly permissions: readonly Permission[];
  /** Without `projectId`, which every tool accepts. */
  readonly input: Readonly<Record<string, TSchema>>;
  /** Null for a tool that only reads. */
  readonly change: { readonly isGrave: boolean } | null;
  run(call: ToolCall): Promise<Json>;
}

interface ToolCall {
  readonly args: Json;
  readonly projectId: string;
  readonly call: CallRoute;
  /** Only a change uses them. */
  readonly confirmation: ConfirmationDesk;
}

interface OfferedChange {
  readonly tool: string;
  readonly projectId: string;
  readonly args: Json;
}

/** Issues and checks the tokens of changes, for the key of the call. */
export interface ConfirmationDesk {
  /** `pinned` are more arguments of the change, which the token keeps. */
  offer(
    change: OfferedChange,
    pinned: Json,
  ): { readonly confirmationToken: string; readonly expiresAt: string };
  open(
    token: string,
    change: OfferedChange,
  ): { readonly idempotencyKey: string; readonly pinned: Json };
}

export type FindRoute = (name: string) => Route;

/** Finds routes by method and path, as in `GET /v1/rewards`. A tool of a route that does not exist is a bug. */
export function makeFindRoute(routes: readonly Route[]): FindRoute {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return (name) => {
    const route = byName.get(name);
    if (!route) throw new Error(`A tool uses the route ${name}, which does not exist.`);
    return route;
  };
}

export function permissionsOf(...routes: readonly Route[]): Permission[] {
  const all = routes.flatMap(({ access }) => (access.by === 'key' ? access.permissions : []));
  return [...new Set(all)];
}

/** The arguments of a route in one object, without `projectId`. `about` describes path parameters. */
export function inputOf(
  route: Route,
  about: Readonly<Record<string, string>> = {},
): Record<string, TSchema> {
  const params = Object.keys(route.params?.properties ?? {});
  const rest = { ...route.query?.properties, ...route.body?.properties };
  const { projectId: _, ...fields } = {
    ...Object.fromEntries(params.map((name) => [name, IdText(about[name])])),
    ...rest,
  };
  return fields;
}

export type RouteTool = Pick<Tool, 'name' | 'title' | 'description'> & {
  /** Method and path. */
  readonly route: string;
  readonly about?: Readonly<Record<string, string>>;
};

/** A tool that is one reading route. */
export function readTool(find: FindRoute, { route: name, about, ...spec }: RouteTool): Tool {
  const route = find(name);
  return {
    ...spec,
    permissions: permissionsOf(route),
    input: inputOf(route, about),
    change: null,
    run: ({ call, projectId, args }) => call({ route, projectId, args }),
  };
}
