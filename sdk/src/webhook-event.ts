import type { components, webhooks } from './generated/api.ts';

type Schemas = components['schemas'];

/** A participant in events. */
export type Party = Schemas['Party'];

/** The origin of a referral: an event, or the start of a subscription. */
export type EventReferral = Schemas['EventReferral'];

/** A recorded fact. */
export type RecordedEvent = Schemas['RecordedEvent'];

/** The decision who referred somebody. */
export type Attribution = Schemas['EventAttribution'];

/** A transfer, with this project's part of it. */
export type EventPayout = Schemas['EventPayout'];

export type WebhookEventType = keyof webhooks;

/** An event of one type. Its `id` is the same in every delivery: use it to recognise repeats. */
export type WebhookEventOf<T extends WebhookEventType> =
  webhooks[T]['post']['requestBody']['content']['application/json'];

/** The `data` of each type of event. */
export type WebhookData = { readonly [T in WebhookEventType]: WebhookEventOf<T>['data'] };

/**
 * An event of the feed or of a webhook; `type` determines `data`. A newer service may have types
 * that are not listed here: ignore unknown ones.
 */
export type WebhookEvent = { [T in WebhookEventType]: WebhookEventOf<T> }[WebhookEventType];
