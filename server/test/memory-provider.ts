import type {
  FindAnswer,
  PayoutProvider,
  SubmitAnswer,
  TransferOrder,
  TransferRef,
  TransferReport,
  TransferState,
} from '../src/outbound/payouts/provider.ts';
import type { Fault, Made, ProviderBench } from './payout-conformance.ts';

interface Transfer extends Made {
  state: TransferState['state'];
}

/** A provider as they are: one transfer for each key, whatever becomes of the answers. */
export class MemoryProvider implements PayoutProvider, ProviderBench {
  readonly method = 'paypal';
  readonly connectionId = 'memory';
  readonly provider: PayoutProvider = this;
  readonly details = { type: 'paypal', email: 'ada@example.com' } as const;
  /** Whether it tells why a transfer did not arrive only by a code of a webhook's. */
  isVague = false;
  readonly #transfers = new Map<string, Transfer>();
  readonly #faults: Fault[] = [];

  async submit(order: TransferOrder): Promise<SubmitAnswer> {
    const fault = this.#faults.shift();
    if (fault === 'lost_order' || fault === 'server_error') return { state: 'unknown' };
    if (fault === 'throttled') {
      return { state: 'refused', failureReason: 'limit_exceeded', failureMessage: null };
    }
    if (fault === 'rejected') {
      return {
        state: 'failed',
        reference: null,
        failureReason: 'invalid_details',
        failureMessage: 'No such account.',
      };
    }
    const known = this.#transfers.get(order.key);
    const { key, amountMinor, currency } = order;
    const made: Transfer = known ?? { key, amountMinor, currency, state: 'processing' };
    this.#transfers.set(key, made);
    if (fault === 'lost_answer') throw new Error('socket hang up');
    return this.#tell(made, null);
  }

  async find({ key, failureCode }: TransferRef): Promise<FindAnswer> {
    if (this.#faults[0] === 'cannot_say') {
      this.#faults.shift();
      return { state: 'unknown' };
    }
    const made = this.#transfers.get(key);
    return made ? this.#tell(made, failureCode) : { state: 'none' };
  }

  async report(transfer: TransferRef): Promise<TransferReport> {
    const made = this.#transfers.get(transfer.key);
    const { amountMinor = null, currency = null } = made ?? {};
    return { state: made?.state ?? 'none', amountMinor, currency };
  }

  fault(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  async transfers(): Promise<Made[]> {
    return [...this.#transfers.values()];
  }

  async move(key: string, state: 'paid' | 'failed' | 'returned'): Promise<void> {
    const made = this.#transfers.get(key);
    if (!made) throw new Error(`There is no transfer ${key}.`);
    made.state = state;
  }

  async close(): Promise<void> {
    this.#transfers.clear();
  }

  #tell({ key, state }: Transfer, failureCode: string | null): TransferState {
    const reference = `mem-${key}`;
    if (state === 'processing' || state === 'paid') return { state, reference };
    const isTold = !this.isVague || failureCode !== null;
    const failureReason = isTold ? 'account_closed' : 'other';
    return { state, reference, failureReason, failureMessage: isTold ? 'Closed.' : null };
  }
}
