/** What starts do not need, and requests do. */
const REST: readonly (() => Promise<unknown>)[] = [
  () => import('./accounts/users/sign-in/create-auth.ts'),
  () => import('./outbound/webhooks/sender/connections.ts'),
  () => import('./surfaces/agents/protocol/make-server.ts'),
  () => import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  () => import('./surfaces/docs/site/site.ts'),
  () => import('stripe'),
  () => import('undici'),
];

/**
 * Loads all code that is otherwise loaded with its first use. An upgrade replaces the files on disk while this process
 * still serves: it must not look for them then. One after the other, so that requests are served in between.
 */
export async function loadRest(): Promise<void> {
  for (const load of REST) await load();
}
