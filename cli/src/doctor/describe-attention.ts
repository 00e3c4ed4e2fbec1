import type { components } from '@goodword/sdk';
import { type Finding, problem, warning } from './finding.ts';

/** Something in a project that waits for a person. */
type Attention = Omit<components['schemas']['Attention'], 'list'>;

/**
 * Waiting is normal for these: only problems are reported, with commands that can be run as they
 * are.
 */
const WRONG: Readonly<
  Record<string, readonly [sentence: string, advise: (inProject: string, id: string) => string]>
> = {
  events_failed: [
    'events could not be processed',
    (inProject) =>
      `See the service’s log, then: goodword events list --processing-state failed ${inProject}`,
  ],
  rewards_failed: [
    'rewards could not be delivered',
    (inProject) =>
      `goodword rewards list --fulfillment-status failed ${inProject}, then for each: goodword rewards retry <reward> ${inProject}`,
  ],
  payouts_unanswered: [
    'payouts have no answer from their provider yet',
    (inProject) =>
      `goodword payouts list --status processing ${inProject}, and check them at the provider`,
  ],
  webhook_deliveries_failed: [
    'deliveries failed',
    (inProject, id) =>
      `See what it answered: goodword deliveries list ${id} --status failed ${inProject}, fix the receiver, then: goodword endpoints replay ${id} --since <time> ${inProject}`,
  ],
  webhook_deliveries_retrying: [
    'deliveries are refused, and tried again',
    (inProject, id) =>
      `See what it answers: goodword deliveries list ${id} --status pending ${inProject}`,
  ],
  stripe_events_parked: [
    'events of Stripe are parked',
    (inProject) => `goodword stripe parked ${inProject}`,
  ],
};

export function describeAttention(
  projectId: string,
  { kind, count, isMore, endpoint }: Attention,
): Finding[] {
  const words = Object.hasOwn(WRONG, kind) ? WRONG[kind] : undefined;
  if (!words || count === 0) return [];
  const [sentence, advise] = words;
  const advice = advise(`--project ${projectId}`, endpoint?.id ?? '<endpoint>');
  const where = endpoint === null ? '' : ` (${endpoint.id}, ${endpoint.url})`;
  const message = `${count}${isMore ? ' or more' : ''} ${sentence}${where}`;
  return [(kind === 'events_failed' ? problem : warning)(projectId, message, advice)];
}
