import { type Finding, problem, warning } from './finding.ts';

/** Something of a project that waits for a person. */
export interface Attention {
  readonly kind: string;
  readonly count: number;
  readonly isMore: boolean;
  readonly endpoint: { readonly id: string; readonly url: string } | null;
}

/** Waiting is how these go: only what went wrong is told. */
const WRONG: Readonly<Record<string, readonly [sentence: string, advice: string]>> = {
  events_failed: [
    'events could not be decided',
    'See the service’s log, then: goodword events list --processing-state failed',
  ],
  rewards_failed: [
    'rewards could not be delivered',
    'goodword rewards list --fulfillment-status failed, then: goodword rewards retry',
  ],
  payouts_unanswered: [
    'payouts have no answer of their provider yet',
    'goodword payouts list --status processing, and look into the provider’s own pages',
  ],
  webhook_deliveries_failed: [
    'deliveries were given up',
    'Mend the receiver, then: goodword endpoints replay',
  ],
  webhook_deliveries_retrying: [
    'deliveries are refused, and tried again',
    'See what it answers: goodword deliveries list --status pending',
  ],
  stripe_events_parked: ['events of Stripe are parked', 'goodword stripe parked'],
};

export function describeAttention(
  check: string,
  { kind, count, isMore, endpoint }: Attention,
): Finding[] {
  const words = Object.hasOwn(WRONG, kind) ? WRONG[kind] : undefined;
  if (!words || count === 0) return [];
  const [sentence, advice] = words;
  const where = endpoint === null ? '' : ` (${endpoint.id}, ${endpoint.url})`;
  const message = `${count}${isMore ? ' or more' : ''} ${sentence}${where}`;
  return [(kind === 'events_failed' ? problem : warning)(check, message, advice)];
}
