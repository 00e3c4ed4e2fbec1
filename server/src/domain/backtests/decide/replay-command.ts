import type { Instant } from '../../../platform/kit/instant.ts';
import { toCodeName } from '../../tracking/intake/check-fact.ts';
import { invoiceKey, type PurchaseFacts } from '../../tracking/intake/normalize-event.ts';
import type { PastAdjustment, PastEvent, PastStart } from './history.ts';
import type { PastPeople } from './past-people.ts';
import type { Replayed } from './replayed.ts';

/** The code that was sent with a signup is known by its touch: this is the name that stands for it. */
const CODE = toCodeName('code');
const NO_NAMES: Replayed['names'] = new Map();
const NO_INVOICES: Replayed['invoices'] = new Map();

export function commandOfEvent(past: PastPeople, event: PastEvent): Replayed {
  const { participantId, actorParticipantId, sourceNamespaceId, sourceEventId, code } = event;
  const purchase = event.facts.purchase;
  // Each field by its name: this runs for every Event.
  return {
    command: {
      kind: event.isImport ? 'import' : 'event',
      event: {
        type: event.type,
        sourceNamespaceId,
        sourceEventId,
        participant: refOf(past, participantId),
        actor: actorParticipantId === null ? null : refOf(past, actorParticipantId),
        occurredAt: event.occurredAt,
        handle: null,
        refCode: code && CODE,
        facts: event.facts,
        factsHash: '',
      },
    },
    now: event.receivedAt,
    ids: { evt: event.id, pur: event.purchaseId ?? undefined },
    eventNumber: event.number,
    participantId,
    actorParticipantId,
    names: code ? new Map([[CODE, [code]]]) : NO_NAMES,
    invoices:
      purchase && event.duplicateOf !== null
        ? new Map([[invoiceKeyOf(purchase, participantId), event.duplicateOf]])
        : NO_INVOICES,
    purchaseId: null,
    judged: event.risk,
  };
}

function invoiceKeyOf({ currency, invoiceId }: PurchaseFacts, participantId: string): string {
  return invoiceKey({ participantId, currency, invoiceId });
}

/** Before its purchase was reported, an adjustment waits for it. `now` is then the time of the purchase. */
export function commandOfAdjustment(
  adjustment: PastAdjustment,
  { now, participantId, purchase }: { now: Instant; participantId: string; purchase: Purchase },
): Replayed {
  const { sourceNamespaceId, sourceEventId, kind, amountMinor, restores, closes } = adjustment;
  return {
    ...NO_COMMAND,
    command: {
      kind: 'adjustment',
      adjustment: {
        sourceNamespaceId,
        sourceEventId,
        kind,
        purchase: purchase.ref,
        restores,
        closes,
        amountMinor,
        currency: null,
        occurredAt: adjustment.occurredAt,
        factsHash: '',
      },
    },
    now,
    ids: { padj: adjustment.id },
    participantId,
    purchaseId: purchase.id,
  };
}

interface Purchase {
  readonly id: string;
  readonly ref: { readonly sourceNamespaceId: string; readonly sourceEventId: string };
}

export function commandOfStart(past: PastPeople, start: PastStart): Replayed {
  const { id, participantId, receivedAt, ...facts } = start;
  return {
    ...NO_COMMAND,
    command: {
      kind: 'subscription',
      subscription: {
        ...facts,
        change: 'started',
        participant: refOf(past, participantId),
        factsHash: '',
      },
    },
    now: receivedAt,
    ids: { sfact: id },
    participantId,
  };
}

/** Decides what somebody's purchases waited for in vain. */
export function commandOfDue(participantId: string, now: Instant): Replayed {
  return { ...NO_COMMAND, command: { kind: 'due', participantId }, now, participantId };
}

function refOf(past: PastPeople, id: string) {
  return { kind: past.get(id).kind, externalId: id };
}

export const NO_COMMAND: Replayed = {
  command: { kind: 'due', participantId: '' },
  now: '',
  ids: {},
  eventNumber: 0,
  participantId: '',
  actorParticipantId: null,
  names: NO_NAMES,
  invoices: NO_INVOICES,
  purchaseId: null,
  judged: null,
};
