import type { components, webhooks } from './generated/api.ts';

type Schemas = components['schemas'];

/** A participant, as events show it. */
export type Party = Schemas['Party'];

/** How a referral came about: by an event, or by the start of a subscription. */
export type EventReferral = Schemas['EventReferral'];

/** A fact that was recorded. */
export type RecordedEvent = Schemas['RecordedEvent'];

/** What was decided about who brought somebody. */
export type Attribution = Schemas['EventAttribution'];

/** A transfer, with what of it is for this Project. */
export type EventPayout = Schemas['EventPayout'];

export type WebhookEventType = keyof webhooks;

/** An event of one type. Its `id` is the same at every delivery: what to recognise a repeat by. */
export type WebhookEventOf<T extends WebhookEventType> =
  webhooks[T]['post']['requestBody']['content']['application/json'];

/** What each type of event holds as its `data`. */
export type WebhookData = { readonly [T in WebhookEventType]: WebhookEventOf<T>['data'] };

/**
 * An event of the feed or of a webhook; `type` tells what `data` is. A newer service may have types
 * that are not listed here: pass over those you do not know.
 */
export type WebhookEvent = { [T in WebhookEventType]: WebhookEventOf<T> }[WebhookEventType];
