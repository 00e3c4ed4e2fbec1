import type { WidgetProject } from './api-keys/identities.ts';
import { findProject, listSealedSecrets } from './store.ts';
import { widgetSecretContext } from './widget-secrets.ts';
import type { WorkspaceDeps } from './workspace-deps.ts';

/** Cached for a second in each process, as keys are. Undefined for an unknown Project. */
export function findWidgetProject(
  { database, keyring, cache }: Pick<WorkspaceDeps, 'database' | 'keyring' | 'cache'>,
  projectId: string,
): Promise<WidgetProject | undefined> {
  return cache.widgetProject(projectId, async () => {
    const project = await findProject(database.reads, projectId);
    if (!project) return undefined;
    const { id, workspaceId, projectKey, environment, allowedOrigins } = project;
    const sealed = await listSealedSecrets(database.reads, id);
    const secrets = sealed.map((one) => ({
      secret: keyring.open('widget-secret', one.sealed, widgetSecretContext(id, one.id)),
      expiresAt: one.expiresAt,
    }));
    return { id, workspaceId, projectKey, environment, allowedOrigins, secrets };
  });
}
