import type { Permission } from '../../platform/http/access/permissions.ts';

/** Mails to participants and Partners. */
export const PERSON_KINDS = [
  'friend_joined',
  'reward_earned',
  'payout_ordered',
  'reward_paid',
  'payout_details_missing',
  'partner_welcome',
] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];

/** Mails to members of the Workspace. */
export const TEAM_KINDS = [
  'partner_application_received',
  'payout_batch_to_approve',
  'webhook_endpoint_failing',
] as const;
export type TeamKind = (typeof TEAM_KINDS)[number];

export const MAIL_KINDS = [...PERSON_KINDS, ...TEAM_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Those who can do something about it. */
export const NEEDED_PERMISSION: Readonly<Record<TeamKind, Permission>> = {
  partner_application_received: 'partners:write',
  payout_batch_to_approve: 'payouts:write',
  webhook_endpoint_failing: 'webhooks:write',
};

export function isTeamKind(kind: string): kind is TeamKind {
  return (TEAM_KINDS as readonly string[]).includes(kind);
}

/** The languages of the widget. */
export const LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** `preview`: in a sandbox Project, shown and not sent. `unknown`: may or may not have been sent. */
export const MAIL_STATES = [
  'waiting',
  'sending',
  'sent',
  'unknown',
  'failed',
  'bounced',
  'suppressed',
  'dropped',
  'preview',
] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Why a mail is in its state. */
export const MAIL_REASONS = [
  'retry_scheduled',
  'connection_lost',
  'interrupted',
  'recipient_refused',
  'reported_later',
  'content_refused',
  'attempts_exhausted',
  'no_address',
  'unusable_address',
  'smtputf8_unsupported',
  'no_sender',
  'switched_off',
  'no_longer_known',
  'unsubscribed',
  'bounced_before',
  'sandbox',
  'not_listed',
] as const;
export type MailReason = (typeof MAIL_REASONS)[number];

/** Amounts and times of a fact, for the text. All are optional: each kind has its own. */
export interface MailData {
  readonly money?: { amountMinor: string; currency: string; currencyExponent: number };
  readonly isCredit?: boolean;
  readonly discountBps?: number;
  readonly custom?: { quantity: number; unitName: string; unitNamePlural: string };
  /** Set only if the reward is not available at once. */
  readonly availableAt?: string;
  /** Written because a Reward was due, and not because an operator asked. */
  readonly isAutomatic?: boolean;
  /** What a mail to the team is about. */
  readonly about?: string;
}
