export type { RenewOptions } from './decide-renewal.ts';
export {
  type ErrorCode,
  GoodwordError,
  type Issue,
  isGoodwordError,
  type ReasonOf,
} from './errors.ts';
export type { Feed, FeedEvent, FeedPage, FollowOptions, PagesOptions } from './feed.ts';
export {
  CURRENCY_EXPONENTS,
  type components,
  PERMISSION_PRESETS,
  type paths,
  type webhooks,
} from './generated/api.ts';
export { Goodword, type GoodwordOptions } from './goodword.ts';
export type { ListCall, ListPage } from './lists.ts';
export type {
  AnswerOf,
  BodyOf,
  CallOf,
  CallOptions,
  ListOperation,
  Operation,
  PathOf,
  QueryOf,
  RowOf,
} from './operations.ts';
export { type HandleSource, readHandle } from './read-handle.ts';
export type { HeadersLike } from './read-headers.ts';
export { renewHandle, renewHandleHook, renewHandleMiddleware } from './renew-handle.ts';
export type {
  Adjustment,
  AdjustmentAnswer,
  BatchEvent,
  BatchResult,
  CustomEvent,
  Purchase,
  Refund,
  Signup,
  SubscriptionAnswer,
  SubscriptionChange,
  Track,
  TrackAnswer,
} from './track.ts';
export type { AnyCall } from './transport.ts';
export { type VerifyOptions, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
export type {
  Attribution,
  EventPayout,
  EventReferral,
  Party,
  RecordedEvent,
  WebhookData,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
} from './webhook-event.ts';
export { type WidgetScope, type WidgetTokenOptions, widgetToken } from './widget-token.ts';
