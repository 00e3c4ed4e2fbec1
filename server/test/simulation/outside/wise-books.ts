import { transactionIdOf } from '../../../src/outbound/integrations/wise/read-transfer.ts';
import { WiseServer, type WiseStep, type WiseTransfer } from '../../wise/server.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Booked, TransferEnd, WebBooks } from './books.ts';

const STATUSES: Readonly<Record<TransferEnd, string>> = {
  sent: 'outgoing_payment_sent',
  cancelled: 'cancelled',
  refunded: 'funds_refunded',
};

/** How the next call of a step goes wrong. */
export const WISE_FAULTS = [
  ['transfer', 'lost'],
  ['transfer', 'done_and_lost'],
  ['transfer', 'hang'],
  ['transfer', 500],
  ['transfer', 429],
  ['recipient', 503],
  ['recipient', 422],
  ['quote', 'lost'],
  ['fund', 'lost'],
  ['fund', 'done_and_lost'],
  ['fund', 'hang'],
  ['fund', 503],
  ['fund', 'no_funds'],
  ['fund', 'no_option'],
  ['fund', 'overtaken'],
  ['find', 503],
  ['find', 'hang'],
  ['list', 503],
  ['list', 'lost'],
  ['cancel', 'done_and_lost'],
] as const;

type Fault = readonly [WiseStep, Parameters<WiseServer['fault']>[1]];

export class WiseBooks implements WebBooks {
  readonly origin = 'https://api.wise.com';
  readonly #wise: WiseServer;
  readonly answer: WiseServer['answer'];

  constructor(time: VirtualTime) {
    this.#wise = new WiseServer({ nowMs: () => time.nowMs });
    this.answer = this.#wise.answer.bind(this.#wise);
  }

  fault(number: number): void {
    const [step, fault] = WISE_FAULTS[number % WISE_FAULTS.length] as Fault;
    this.#wise.fault(step, fault);
  }

  heal(): void {
    this.#wise.heal();
  }

  end(nth: number, to: TransferEnd, forgotten: number): boolean {
    const known = this.#wise.transfers.slice(to === 'sent' ? 0 : forgotten);
    const open = known.filter(({ status, funded }) =>
      to === 'refunded'
        ? funded > 0 && ['processing', 'outgoing_payment_sent'].includes(status)
        : status === 'processing' || (to === 'cancelled' && status === 'incoming_payment_waiting'),
    );
    const transfer = open[nth % Math.max(1, open.length)];
    if (transfer) transfer.status = STATUSES[to];
    return transfer !== undefined;
  }

  sendAll(): void {
    for (const one of this.#wise.transfers)
      if (one.status === 'processing') one.status = STATUSES.sent;
  }

  list(): Booked[] {
    return this.#wise.transfers.map((one) => ({
      method: 'wise',
      reference: String(one.id),
      mark: one.customerTransactionId,
      account: this.#accountOf(one),
      amountMinor: BigInt(Math.round(one.targetValue * 100)),
      madeAt: one.created,
      taken: one.funded,
      hasArrived: one.funded > 0 && !['cancelled', STATUSES.refunded].includes(one.status),
    }));
  }

  markOf(key: string): string {
    return transactionIdOf(key);
  }

  #accountOf({ targetAccount }: WiseTransfer): string {
    const details = this.#wise.recipients[targetAccount - 100_001]?.details;
    return (details as { IBAN?: string } | undefined)?.IBAN ?? '';
  }
}
