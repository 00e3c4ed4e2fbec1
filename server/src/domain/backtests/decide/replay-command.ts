import type { Instant } from '../../../platform/kit/instant.ts';
import { toCodeName } from '../../tracking/intake/check-fact.ts';
import { invoiceKey } from '../../tracking/intake/normalize-event.ts';
import type { PastAdjustment, PastEvent, PastStart } from './history.ts';
import type { PastPeople } from './past-people.ts';
import type { Replayed } from './replayed.ts';

/** The code that was sent with a signup is known by its touch: this is the name that stands for it. */
const CODE = 'code';

export function commandOfEvent(past: PastPeople, event: PastEvent): Replayed {
  const { participantId, actorParticipantId, sourceNamespaceId, sourceEventId, code } = event;
  const purchase = event.facts.purchase;
  return {
    ...NO_COMMAND,
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
    ids: { evt: event.id, ...(event.purchaseId === null ? {} : { pur: event.purchaseId }) },
    eventNumber: event.number,
    participantId,
    actorParticipantId,
    names: new Map(code ? [[toCodeName(CODE), [code]]] : []),
    invoices: new Map(
      purchase && event.duplicateOf !== null
        ? [[invoiceKey({ ...purchase, participantId }), event.duplicateOf]]
        : [],
    ),
    judged: event.risk,
  };
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
  names: new Map(),
  invoices: new Map(),
  purchaseId: null,
  judged: null,
};
