import type { Answer, Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type Endpoint = Answer<'/v1/webhook-endpoints'>['endpoints'][number];
export type Delivery = Row<'/v1/webhook-endpoints/{endpointId}/deliveries'>;
type DeliveryWithAttempts =
  Answer<'/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}'>['delivery'];
export type Attempt = DeliveryWithAttempts['attempts'][number];
export type AttemptSummary = NonNullable<Delivery['lastAttempt']>;
type FailureReason = NonNullable<Attempt['failure']>['reason'];

interface State {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
}

export const endpointState = ({ enabled }: Pick<Endpoint, 'enabled'>): State =>
  enabled
    ? { tone: 'good', label: 'Enabled', explanation: 'Every event of its types is sent there.' }
    : {
        tone: 'over',
        label: 'Disabled',
        explanation:
          'Nothing is sent. Pending deliveries are kept until it is enabled; new events are only in the feed.',
      };

export const DELIVERY_STATES: Readonly<Record<Delivery['status'], State>> = {
  pending: {
    tone: 'waits',
    label: 'Waiting',
    explanation:
      'It is due or waits for its next attempt. There are up to 80 attempts over three days.',
  },
  succeeded: {
    tone: 'good',
    label: 'Delivered',
    explanation: 'The response had a 2xx status.',
  },
  failed: {
    tone: 'bad',
    label: 'Given up',
    explanation: 'All attempts failed. Replay it once the receiver works.',
  },
  dropped: {
    tone: 'over',
    label: 'Dropped',
    explanation:
      'The endpoint was disabled for longer than the retries last. Replay it if you still need it.',
  },
};

const FAILURES: Readonly<Record<FailureReason, string>> = {
  invalid_url: 'The address cannot be used',
  name_not_resolved: 'The host name was not found',
  address_refused: 'The address is not public',
  connection_failed: 'Nobody answered at the address',
  tls_failed: 'The certificate was not accepted',
  timed_out: 'No answer within 10 seconds',
  connection_lost: 'The connection broke',
  invalid_answer: 'The answer could not be read',
  cancelled: 'It was cut off',
  unexpected: 'Something unexpected went wrong',
};

/** The response, in a few words. */
export function sayAnswer(attempt: Pick<AttemptSummary, 'responseStatus' | 'failure'>): string {
  if (attempt.failure) return FAILURES[attempt.failure.reason];
  return attempt.responseStatus === null ? 'No answer' : `Answered ${attempt.responseStatus}`;
}

interface Mode {
  readonly label: string;
  /** As an answer to whether the receiver grants rewards. */
  readonly choice: string;
  readonly explanation: string;
}

export const MODES: Readonly<Record<Endpoint['fulfillmentMode'], Mode>> = {
  on_delivery: {
    label: 'Your answer grants the reward',
    choice: 'Yes, its answer grants the reward',
    explanation:
      'A 2xx answer to reward.earned records that your product granted the reward. Grant it before you answer, and answer 202 if you do not grant it.',
  },
  explicit: {
    label: 'Your answer only confirms receipt',
    choice: 'No, its answer only confirms receipt',
    explanation:
      'Choose this for logs and analytics, or if you record grants yourself with POST /v1/rewards/{rewardId}/fulfillment.',
  },
};
