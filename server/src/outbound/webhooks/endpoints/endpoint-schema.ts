import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from '../../../platform/feed/writer/project-write.ts';
import { Closed, InstantOut, Nullable, OneOf, Opt, Text } from '../../../platform/kit/schema.ts';
import { FAILURE_REASONS } from '../dispatch/failure.ts';
import { FULFILLMENT_MODES } from './endpoint.ts';
import { URL_LENGTH_MAX } from './endpoint-url.ts';
import { WARNING_CODES } from './endpoint-warnings.ts';

const Mode = OneOf(FULFILLMENT_MODES, {
  description:
    '`on_delivery`: a 2xx answer other than 202 to `reward.earned` records the grant. `explicit`: it only says that the event arrived.',
});

export const Endpoint = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    url: Type.String(),
    description: Nullable(Type.String()),
    eventTypes: Type.Array(OneOf(EVENT_TYPES), {
      description: 'Every type that there is today, if none were chosen.',
    }),
    apiVersion: Type.String({ description: 'The shape of the events that it gets.' }),
    fulfillmentMode: Mode,
    enabled: Type.Boolean(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'WebhookEndpoint' },
);
export type Endpoint = Static<typeof Endpoint>;

export const Warnings = Type.Array(
  Type.Object(
    {
      code: OneOf(WARNING_CODES, {
        description:
          '`second_granting_endpoint`: more than one endpoint of the project records grants by its answers.',
      }),
      message: Type.String(),
    },
    { title: 'WebhookEndpointWarning' },
  ),
  { description: 'What is allowed and probably not intended. Empty if there is nothing.' },
);
export type Warnings = Static<typeof Warnings>;

const Url = Text(
  1,
  URL_LENGTH_MAX,
  'Begins with https://, without a user or password, and every address of its host is public.',
);
const Description = Text(1, 500, 'For your own use.');
const EventTypes = Type.Array(OneOf(EVENT_TYPES), { minItems: 1, uniqueItems: true });

export const CreateEndpoint = Closed({
  url: Url,
  description: Opt(Description),
  eventTypes: Type.Optional(
    Type.Union([EventTypes, Type.Null()], {
      description: 'Left out: every type, those to come too.',
    }),
  ),
  fulfillmentMode: Opt(Mode),
});
export type CreateEndpoint = Static<typeof CreateEndpoint>;

export const changeEndpointBody = (apiVersions: readonly string[]) =>
  Closed({
    url: Type.Optional(Url),
    description: Opt(Description),
    eventTypes: Type.Optional(
      Type.Union([EventTypes, Type.Null()], {
        description: 'Null: every type, those to come too.',
      }),
    ),
    fulfillmentMode: Type.Optional(Mode),
    enabled: Type.Optional(Type.Boolean()),
    apiVersion: Type.Optional(
      OneOf(apiVersions, {
        description: 'A newer one; or, for 72 hours after a change, the one before it.',
      }),
    ),
  });
export type ChangeEndpoint = Static<ReturnType<typeof changeEndpointBody>>;

export const TestEndpoint = Closed({ type: OneOf(EVENT_TYPES) });

export const WebhookFailure = Type.Object(
  { reason: OneOf(FAILURE_REASONS), message: Type.String() },
  { title: 'WebhookFailure' },
);

export const testAnswer = {
  webhookId: Type.String({ description: 'The `webhook-id` that was sent.' }),
  delivered: Type.Boolean({ description: 'Whether the answer was a 2xx.' }),
  responseStatus: Nullable(Type.Integer({ description: 'Null when there was no answer.' })),
  responseBody: Nullable(Type.String({ description: 'Its first 64 KiB.' })),
  latencyMs: Type.Integer({ description: 'Until the status line, or until it failed.' }),
  failure: Type.Union([WebhookFailure, Type.Null()], { description: 'Why there was no answer.' }),
};
