import { randomUUID } from 'node:crypto';
import type { Permission } from '../../platform/http/access/permissions.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { offerConfirmation, openConfirmation } from './changes/confirmation.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import type { Offer } from './protocol/make-server.ts';
import { type Connection, findUsualProject } from './protocol/projects.ts';
import { listResources, listTemplates, type ResourceDeps, readResource } from './resources.ts';
import type { CallRoute, Json } from './tools/call-route.ts';
import { makeReadProgram } from './tools/compound-tools.ts';
import { type ConfirmationDesk, makeFindRoute } from './tools/tool.ts';
import { ToolBox } from './tools/tool-box.ts';

export interface OfferDeps {
  readonly routes: readonly Route[];
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly listPages: ResourceDeps['listPages'];
}

/** A connection, and how its calls reach the routes. */
interface OfferCall extends Connection {
  readonly call: CallRoute;
  readonly onFailure: (error: unknown) => void;
}

/** Prepares the tools once; the result makes what one call is offered. */
export function makeMakeOffer(deps: OfferDeps): (call: OfferCall) => Offer {
  const tools = new ToolBox(deps.routes);
  const find = makeFindRoute(deps.routes);
  const programsRoute = find('GET /v1/programs');
  const programs = makeReadProgram(find);
  return (connection) => {
    const { key, call, onFailure } = connection;
    const may = (permission: Permission) => key.permissions.includes(permission);
    const context = { ...connection, confirmation: makeDesk(deps, key.keyId) };
    const resources: ResourceDeps = {
      listPages: deps.listPages,
      programs,
      findProject: () => findUsualProject(connection),
      listPrograms: async (projectId) =>
        (await call({ route: programsRoute, projectId, args: {} })).data as readonly Json[],
      may,
      call,
    };
    return {
      listTools: () => tools.list(may),
      callTool: (name, args) => tools.call(name, args, context),
      listResources: () => listResources(resources),
      listTemplates: () => listTemplates(resources),
      readResource: (uri) => readResource(resources, uri),
      listPrompts,
      getPrompt,
      onFailure,
    };
  };
}

function makeDesk({ keyring, clock }: OfferDeps, keyId: string): ConfirmationDesk {
  const now = () => toInstant(clock.nowMs());
  return {
    offer: (change, pinned) =>
      offerConfirmation(keyring, { keyId, ...change }, { id: randomUUID(), pinned, now: now() }),
    open: (token, change) => {
      const { id, pinned } = openConfirmation(keyring, token, { keyId, ...change }, now());
      return { idempotencyKey: `agent-${id}`, pinned };
    },
  };
}
