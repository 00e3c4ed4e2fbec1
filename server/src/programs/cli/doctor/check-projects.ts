import { systemClock } from '../../../platform/kit/clock.ts';
import { type Attention, describeAttention } from './describe-attention.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Reads from the service, as the operator. */
export type Get = <A>(path: string, query?: Record<string, string>) => Promise<A>;

const WAIT_DAYS = 7;
const DAY_MS = 86_400_000;

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
}

interface Reward {
  readonly availableAt: string;
  readonly delivery: { readonly reason: string | null };
}

/** What waits in a project: endpoints that fail or are off, rewards nobody delivers. */
export async function checkProject(get: Get, projectId: string): Promise<Finding[]> {
  const query = { projectId };
  const limit = new Date(systemClock.nowMs() - WAIT_DAYS * DAY_MS).toISOString();
  const [{ endpoints }, attention, rewards] = await Promise.all([
    get<{ endpoints: Endpoint[] }>('/v1/webhook-endpoints', query),
    get<{ data: Attention[] }>('/v1/attention', query),
    get<{ data: Reward[] }>('/v1/rewards', {
      ...query,
      fulfillmentStatus: 'pending',
      earnedTo: limit,
      limit: '100',
    }),
  ]);
  const late = rewards.data.filter(({ availableAt }) => availableAt < limit);
  const findings = [
    ...endpoints
      .filter(({ enabled }) => !enabled)
      .map(({ id, url }) =>
        warning(
          projectId,
          `The endpoint ${url} is disabled`,
          `goodword endpoints update ${id} --enabled --project ${projectId}, or: goodword endpoints delete ${id} --project ${projectId}`,
        ),
      ),
    ...attention.data.flatMap((one) => describeAttention(projectId, one)),
    ...describeLate(projectId, late),
  ];
  return findings.length > 0 ? findings : [ok(projectId, 'nothing waits')];
}

function describeLate(projectId: string, late: readonly Reward[]): Finding[] {
  if (late.length === 0) return [];
  const reasons = [...new Set(late.map(({ delivery }) => delivery.reason ?? 'unknown'))];
  const count = late.length === 100 ? '100 or more' : String(late.length);
  return [
    warning(
      projectId,
      `${count} rewards have waited for more than ${WAIT_DAYS} days (${reasons.join(', ')})`,
      `goodword rewards list --fulfillment-status pending --project ${projectId}`,
    ),
  ];
}
