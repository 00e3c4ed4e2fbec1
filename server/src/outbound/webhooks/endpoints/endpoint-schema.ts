import Type, { type Static } from 'typebox';
import { DEFAULT_EVENT_TYPES, EVENT_TYPES } from '../../../platform/feed/writer/project-write.ts';
import { Closed, InstantOut, Nullable, OneOf, Opt, Text } from '../../../platform/kit/schema.ts';
import { FAILURE_REASONS } from '../dispatch/failure.ts';
import { type EndpointRow, FULFILLMENT_MODES } from './endpoint.ts';
import { URL_LENGTH_MAX } from './endpoint-url.ts';
import { WARNING_CODES } from './endpoint-warnings.ts';

const Mode = OneOf(FULFILLMENT_MODES, {
  description:
    '`on_delivery`: a 2xx response other than 202 to `reward.earned` records the grant. `explicit`: the response only confirms that the event arrived.',
});

export const Endpoint = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    url: Type.String(),
    description: Nullable(Type.String()),
    eventTypes: Type.Array(OneOf(EVENT_TYPES), {
      description: 'If no types were chosen, all default types that exist today.',
    }),
    apiVersion: Type.String({ description: 'The version of the events that the endpoint gets.' }),
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
          '`second_granting_endpoint`: more than one endpoint of the project records grants by its responses.',
      }),
      message: Type.String(),
    },
    { title: 'WebhookEndpointWarning' },
  ),
  { description: 'Settings that are allowed but probably not intended. Usually empty.' },
);
export type Warnings = Static<typeof Warnings>;

const Url = Text(
  1,
  URL_LENGTH_MAX,
  'Must start with https://, without user name or password. All IP addresses of its host must be public.',
);
const Description = Text(1, 500, 'For your own use.');
const EXCEPT_NAMED =
  'except `risk.review_opened` and `risk.review_decided`, which have to be named';
const EventTypes = Type.Array(OneOf(EVENT_TYPES), { minItems: 1, uniqueItems: true });

export const CreateEndpoint = Closed({
  url: Url,
  description: Opt(Description),
  eventTypes: Type.Optional(
    Type.Union([EventTypes, Type.Null()], {
      description: `If omitted: all types, including future ones, ${EXCEPT_NAMED}.`,
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
        description: `Null: all types, including future ones, ${EXCEPT_NAMED}.`,
      }),
    ),
    fulfillmentMode: Type.Optional(Mode),
    enabled: Type.Optional(Type.Boolean()),
    apiVersion: Type.Optional(
      OneOf(apiVersions, {
        description: 'A newer version; or, for 72 hours after a change, the previous one.',
      }),
    ),
  });
export type ChangeEndpoint = Static<ReturnType<typeof changeEndpointBody>>;

export const TestEndpoint = Closed({ type: OneOf(EVENT_TYPES) });

export const WebhookFailure = Type.Object(
  { reason: OneOf(FAILURE_REASONS), message: Type.String() },
  { title: 'WebhookFailure' },
);

export const TestAnswer = Type.Object({
  success: Type.Literal(true),
  webhookId: Type.String({ description: 'The `webhook-id` that was sent.' }),
  delivered: Type.Boolean({ description: 'Whether the response status was 2xx.' }),
  responseStatus: Nullable(Type.Integer({ description: 'Null if there was no response.' })),
  responseBody: Nullable(Type.String({ description: 'The first 64 KiB of the response.' })),
  latencyMs: Type.Integer({ description: 'Time until the status line, or until the failure.' }),
  failure: Type.Union([WebhookFailure, Type.Null()], { description: 'Why there was no response.' }),
});
export type TestAnswer = Omit<Static<typeof TestAnswer>, 'success'>;

/** The endpoint without its secrets. */
export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    projectId: row.projectId,
    url: row.url,
    description: row.description,
    eventTypes: [...(row.eventTypes ?? DEFAULT_EVENT_TYPES)],
    apiVersion: row.apiVersion,
    fulfillmentMode: row.fulfillmentMode,
    enabled: row.queueId !== null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
