import type { UsageLog } from '../../../accounts/workspaces/usage/usage-log.ts';
import type { RenderDeps } from '../../../platform/feed/render-event.ts';
import type { Identities } from '../../../platform/http/access/principal.ts';
import type { EndpointDeps } from '../endpoints/endpoint.ts';

export interface DispatchDeps extends RenderDeps, Omit<EndpointDeps, 'reach'> {
  readonly findProject: Identities['findProject'];
  readonly usage: Pick<UsageLog, 'noteFirst'>;
  readonly onFailure: (error: unknown) => void;
  readonly onAttempt?: (attempt: { outcome: string; latencyMs: number }) => void;
}
