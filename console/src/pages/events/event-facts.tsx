import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { Money } from '../../ui/money.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';
import { readProperties, readPurchase, typeName } from '../people/event-words.ts';
import { ReferralOf } from '../people/names.tsx';
import type { TrackedEvent } from '../people/queries.ts';

/** An event as it was sent. */
export function EventFacts({ event }: { event: TrackedEvent }) {
  const purchase = readPurchase(event.normalizedFacts);
  const optional = (name: string, value: string | null | undefined) =>
    value ? ([name, value] as const) : undefined;
  return (
    <Facts
      rows={[
        ['Participant', <PersonCell key="who" id={event.participantId} />],
        event.actorParticipantId
          ? ['Created by', <PersonCell key="actor" id={event.actorParticipantId} />]
          : undefined,
        event.processingReason === 'attributed'
          ? ['Referral', <ReferralOf key="r" participantId={event.participantId} />]
          : undefined,
        ['Type', event.type.startsWith('custom_') ? event.type : typeName(event.type)],
        purchase
          ? [
              'Amount, without tax',
              <Money
                key="amount"
                amountMinor={purchase.amountMinor}
                currency={purchase.currency}
                exponent={purchase.currencyExponent}
              />,
            ]
          : undefined,
        purchase?.taxAmountMinor
          ? [
              'Tax',
              <Money
                key="tax"
                amountMinor={purchase.taxAmountMinor}
                currency={purchase.currency}
                exponent={purchase.currencyExponent}
              />,
            ]
          : undefined,
        optional('Order', purchase?.orderId),
        optional('Invoice', purchase?.invoiceId),
        optional('Subscription', purchase?.subscriptionId),
        optional('Billing reason', purchase?.billingReason && humanize(purchase.billingReason)),
        ...readProperties(event.normalizedFacts),
        ['Happened', <When key="at" at={event.occurredAt} />],
        ['Received', <When key="received" at={event.receivedAt} />],
        optional('Your id', event.sourceEventId),
        ['Id', <IdText key="id" value={event.id} />],
        event.attemptCount > 1 ? ['Attempts', event.attemptCount] : undefined,
      ]}
    />
  );
}
