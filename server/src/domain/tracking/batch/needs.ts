import { canBeName } from '../../participants/names/names.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import { toCodeName } from '../intake/check-fact.ts';
import type { AdjustmentInput, SourceRef, SubscriptionInput } from '../intake/normalize-billing.ts';
import { type EventInput, sourceKey } from '../intake/normalize-event.ts';

/** For a fact that must not fail because of the purchases that waited for it. */
type LeavesWaiting = true;

/** A fact to take, or a person whose waiting purchases are due. */
export type TrackCommand =
  | {
      readonly kind: 'event';
      readonly event: EventInput;
      readonly leavesWaiting?: LeavesWaiting;
    }
  | {
      /** Imports who referred whom before the Project existed here: `refCode` is the referrer's code. */
      readonly kind: 'import';
      readonly event: EventInput;
    }
  | { readonly kind: 'adjustment'; readonly adjustment: AdjustmentInput }
  | {
      readonly kind: 'subscription';
      readonly subscription: SubscriptionInput;
      readonly leavesWaiting?: LeavesWaiting;
    }
  | { readonly kind: 'due'; readonly participantId: string };

/** A purchase by its invoice: every issuer numbers from 1, so the number alone is not unique. */
export interface InvoiceRef {
  readonly participant: ParticipantRef;
  readonly currency: string;
  readonly invoiceId: string;
}

/** Everything that commands name and that must be looked up for them. */
export interface BatchNeeds {
  readonly refs: readonly ParticipantRef[];
  /** Those of them whose touches are considered: who signs up or starts a subscription, and their actors. */
  readonly weighed: readonly ParticipantRef[];
  /** Those of them whose codes from their own signups are also considered. */
  readonly coded: readonly ParticipantRef[];
  readonly people: readonly string[];
  readonly signingUp: readonly ParticipantRef[];
  /** Those about whom a fact arrives that a purchase may wait for. */
  readonly deciding: readonly ParticipantRef[];
  readonly keys: readonly SourceRef[];
  readonly handles: readonly string[];
  readonly names: readonly string[];
  readonly invoices: readonly InvoiceRef[];
  /** Groups whose creator matters. */
  readonly created: readonly ParticipantRef[];
  /** Subscriptions that start; other subscription facts decide nothing. */
  readonly started: readonly SubscriptionInput[];
  readonly adjustments: readonly AdjustmentInput[];
  /** Reported or adjusted purchases, for which something may be waiting. */
  readonly purchases: readonly SourceRef[];
}

export function needsOf(commands: readonly TrackCommand[]): BatchNeeds {
  const events = commands.flatMap((one) =>
    one.kind === 'event' || one.kind === 'import' ? [one.event] : [],
  );
  const adjustments = commands.flatMap((one) =>
    one.kind === 'adjustment' ? [one.adjustment] : [],
  );
  const subscriptions = commands.flatMap((one) =>
    one.kind === 'subscription' ? [one.subscription] : [],
  );
  const signups = events.filter(({ type }) => type === 'signup');
  const imports = commands.flatMap((one) => (one.kind === 'import' ? [one.event] : []));
  const started = subscriptions.filter(({ change }) => change === 'started');
  return {
    refs: [...events.flatMap(partiesOf), ...subscriptions.map(({ participant }) => participant)],
    weighed: [...signups.flatMap(partiesOf), ...started.map(({ participant }) => participant)],
    coded: [
      ...signups.flatMap(({ actor }) => actor ?? []),
      ...started.map(({ participant }) => participant),
    ],
    people: commands.flatMap((one) => (one.kind === 'due' ? [one.participantId] : [])),
    signingUp: signups.map(({ participant }) => participant),
    deciding: [...signups, ...imports, ...started].map(({ participant }) => participant),
    keys: [
      ...events.flatMap(keysOf),
      ...adjustments.flatMap((one) => [one, one.purchase]),
      ...subscriptions,
    ],
    handles: signups.flatMap(({ handle }) => handle ?? []),
    names: [
      ...new Set(
        events.flatMap(({ refCode }) => (refCode ? [toCodeName(refCode)] : [])).filter(canBeName),
      ),
    ],
    invoices: events.flatMap(invoicesOf),
    created: [...events.filter(({ type }) => type !== 'signup'), ...started].flatMap(
      ({ participant }) => (participant.kind === 'group' ? [participant] : []),
    ),
    started,
    adjustments,
    purchases: uniqueRefs([
      ...events.filter(({ type }) => type === 'purchase').flatMap(keysOf),
      ...adjustments.map(({ purchase }) => purchase),
    ]),
  };
}

function keysOf({ sourceNamespaceId, sourceEventId }: EventInput): SourceRef[] {
  return sourceEventId === null ? [] : [{ sourceNamespaceId, sourceEventId }];
}

/** Each once: adjustments that wait for a purchase must not be found twice. */
function uniqueRefs(refs: readonly SourceRef[]): SourceRef[] {
  return [...new Map(refs.map((ref) => [sourceKey(ref), ref])).values()];
}

function invoicesOf({ participant, facts: { purchase } }: EventInput): InvoiceRef[] {
  if (!purchase || purchase.invoiceId === null) return [];
  return [{ participant, currency: purchase.currency, invoiceId: purchase.invoiceId }];
}

function partiesOf({ participant, actor }: EventInput): ParticipantRef[] {
  return actor ? [participant, actor] : [participant];
}
