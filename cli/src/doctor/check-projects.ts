import type { components } from '@goodword/sdk';
import type { Client } from '../calls/client.ts';
import { describeAttention } from './describe-attention.ts';
import { type Finding, ok, warning } from './finding.ts';

const WAIT_DAYS = 7;
const DAY_MS = 86_400_000;

type Reward = components['schemas']['Reward'];

/** What waits in a project: failing or disabled endpoints, undelivered rewards. */
export async function checkProject(
  client: Pick<Client, 'call'>,
  projectId: string,
): Promise<Finding[]> {
  const about = { query: { projectId }, takesKey: false };
  const limit = new Date(Date.now() - WAIT_DAYS * DAY_MS).toISOString();
  const [{ endpoints }, attention, rewards] = await Promise.all([
    client.call({ operation: 'GET /v1/webhook-endpoints', ...about }),
    client.call({ operation: 'GET /v1/attention', ...about }),
    client.call({
      operation: 'GET /v1/rewards',
      query: { projectId, fulfillmentStatus: 'pending', earnedTo: limit, limit: 100 },
      takesKey: false,
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
