import { WiseServer, type WiseStep, type WiseTransfer } from '../../wise/server.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import { VirtualNetwork } from './virtual-network.ts';

/** What may become of a transfer that Wise has accepted. */
export const TRANSFER_ENDS = ['sent', 'cancelled', 'refunded'] as const;
export type TransferEnd = (typeof TRANSFER_ENDS)[number];

const STATUSES: Readonly<Record<TransferEnd, string>> = {
  sent: 'outgoing_payment_sent',
  cancelled: 'cancelled',
  refunded: 'funds_refunded',
};

/** How the next call of a step goes wrong. */
export const PROVIDER_FAULTS = [
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

/** Wise and its books, which no crash and no restore of the service touches. */
export class Payments {
  readonly #wise: WiseServer;
  /** So many transfers were ordered from a store that was lost since. */
  #forgotten = 0;

  constructor(time: VirtualTime) {
    this.#wise = new WiseServer({ nowMs: () => time.nowMs });
    const answer = this.#wise.answer.bind(this.#wise);
    new VirtualNetwork(time, new Map([['https://api.wise.com', answer]])).install();
  }

  /** What was ordered so far does not come back any more: a person would have to tell the service. */
  forgetOrders(): void {
    this.#forgotten = this.#wise.transfers.length;
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  fault(number: number): void {
    const [step, fault] = PROVIDER_FAULTS[number % PROVIDER_FAULTS.length] as Fault;
    this.#wise.fault(step, fault);
  }

  heal(): void {
    this.#wise.heal();
  }

  /** Of the transfers that can end so, the n-th does. Returns whether there was one. */
  end(nth: number, to: TransferEnd): boolean {
    const known = this.#wise.transfers.slice(to === 'sent' ? 0 : this.#forgotten);
    const open = known.filter(({ status, funded }) =>
      to === 'refunded'
        ? funded > 0 && ['processing', 'outgoing_payment_sent'].includes(status)
        : status === 'processing' || (to === 'cancelled' && status === 'incoming_payment_waiting'),
    );
    const transfer = open[nth % Math.max(1, open.length)];
    if (transfer) transfer.status = STATUSES[to];
    return transfer !== undefined;
  }

  /** Everything under way arrives. */
  sendAll(): void {
    for (const one of this.#wise.transfers)
      if (one.status === 'processing') one.status = STATUSES.sent;
  }

  get transfers(): readonly WiseTransfer[] {
    return this.#wise.transfers;
  }

  /** The account that a transfer goes to. */
  accountOf({ targetAccount }: WiseTransfer): string {
    const details = this.#wise.recipients[targetAccount - 100_001]?.details;
    return (details as { IBAN?: string } | undefined)?.IBAN ?? '';
  }
}

type Fault = readonly [WiseStep, Parameters<WiseServer['fault']>[1]];

/** Whether its money has left, and has not come back. */
export const hasArrived = ({ status, funded }: WiseTransfer): boolean =>
  funded > 0 && !['cancelled', STATUSES.refunded].includes(status);

export const minorOf = ({ targetValue }: WiseTransfer): bigint =>
  BigInt(Math.round(targetValue * 100));
