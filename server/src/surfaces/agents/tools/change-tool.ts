import { Opt, Text } from '../../../platform/kit/schema.ts';
import { type CallRoute, type Json, toRequest } from './call-route.ts';
import { type FindRoute, inputOf, permissionsOf, type RouteTool, type Tool } from './tool.ts';

/** Several times the length of a token. */
const TOKEN_LENGTH_MAX = 512;

const CONFIRMATION_FIELD = 'confirmationToken';

const HOW =
  'Takes two calls. The first, without `confirmationToken`, changes nothing: it returns a preview and a token. Show the preview to the person you work for, and call again with the same arguments and the token only if they agree.';

export interface ChangeSpec extends RouteTool {
  readonly isGrave: boolean;
  /** The routes that `look` calls. */
  readonly sees: readonly string[];
  /** What the change is about, as it is now. Fails with NOT_FOUND if there is none. */
  look(args: Json, read: (route: string, args: Json) => Promise<Json>): Promise<Json>;
  /** Arguments by which the route refuses the change if what it is about was changed after the preview. */
  pin?(now: Json): Json;
  /** What the change will do, as sentences. */
  foresee(now: Json, args: Json): readonly string[];
}

/** A tool that changes something by one route: the first call shows what, the second does it. */
export function changeTool(find: FindRoute, spec: ChangeSpec): Tool {
  const route = find(spec.route);
  const { name, title, isGrave } = spec;
  return {
    name,
    title,
    description: `${spec.description} ${HOW}`,
    permissions: permissionsOf(route, ...spec.sees.map(find)),
    input: {
      ...inputOf(route, spec.about),
      [CONFIRMATION_FIELD]: Opt(
        Text(1, TOKEN_LENGTH_MAX, 'The token of the preview. Leave it out to get a preview.'),
      ),
    },
    change: { isGrave },
    async run({ args: given, projectId, call, confirmation }) {
      const { [CONFIRMATION_FIELD]: token, ...args } = given;
      if (typeof token === 'string') {
        const opened = confirmation.open(token, { tool: name, projectId, args });
        const { idempotencyKey, pinned } = opened;
        const result = await call({
          route,
          projectId,
          args: { ...pinned, ...args },
          idempotencyKey,
        });
        return { isDone: true, preview: null, confirmationToken: null, expiresAt: null, result };
      }
      const now = await spec.look(args, makeRead(find, call, projectId));
      const pinned = spec.pin?.(now) ?? {};
      const all = { ...pinned, ...args };
      await call({ route, projectId, args: all, isRehearsal: true });
      const { path, body } = toRequest(route, projectId, all);
      return {
        isDone: false,
        preview: {
          effects: spec.foresee(now, args),
          request: { method: route.method, path, body },
          current: now,
        },
        ...confirmation.offer({ tool: name, projectId, args }, pinned),
        result: null,
      };
    },
  };
}

function makeRead(find: FindRoute, call: CallRoute, projectId: string) {
  return (route: string, args: Json) => call({ route: find(route), projectId, args });
}
