import { type EndpointRow, isSubscribed } from './endpoint.ts';

export const WARNING_CODES = ['second_granting_endpoint'] as const;

export interface EndpointWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly message: string;
}

type Known = Pick<EndpointRow, 'id' | 'queueId' | 'fulfillmentMode' | 'eventTypes'>;

/** Whether its responses record grants: each such endpoint is asked to grant every reward. */
function isGranting(endpoint: Known): boolean {
  return (
    endpoint.queueId !== null &&
    endpoint.fulfillmentMode === 'on_delivery' &&
    isSubscribed(endpoint, 'reward.earned')
  );
}

/** About a project's endpoints as a whole (D-AM-10). */
export function warningsAbout(endpoints: readonly Known[]): EndpointWarning[] {
  const granting = endpoints.filter(isGranting).map(({ id }) => id);
  if (granting.length < 2) return [];
  return [
    {
      code: 'second_granting_endpoint',
      message: `${granting.length} endpoints of this project record grants by their response to reward.earned (${granting.join(', ')}). Each reward is sent to all of them, so it can be granted more than once. Set fulfillmentMode to explicit on all but one.`,
    },
  ];
}

export function warningsFor(endpointId: string, endpoints: readonly Known[]): EndpointWarning[] {
  const own = endpoints.find(({ id }) => id === endpointId);
  return own && isGranting(own) ? warningsAbout(endpoints) : [];
}
