import type { TestProject } from '../../new-project.ts';
import { PAYPAL_APP } from '../../paypal/server.ts';
import { WISE_ACCOUNT } from '../../wise/server.ts';
import type { BookedMethod } from '../outside/books.ts';
import { PLATFORM_KEY } from '../outside/connect-books.ts';
import type { Payments } from '../outside/payments.ts';
import { STRIPE_KEY } from '../outside/stripe-books.ts';
import { ADMIN_TOKEN, type Answer } from '../process/service-process.ts';
import { detailsOf, signToken } from './accounts.ts';
import type { Caller } from './caller.ts';
import { externalIdOf } from './names.ts';
import { operate } from './operate.ts';
import type { PayoutOperation } from './operations.ts';
import type { Reader, Wire } from './reader.ts';
import { Releases } from './releases.ts';

type SavedDetails = PayoutOperation & { kind: 'details' };

const STEPS = ['approve', 'submit'] as const;

const CONNECTIONS = {
  wise: { method: 'wise', wise: WISE_ACCOUNT },
  stripe_connect: { method: 'stripe_connect', stripeConnect: { secretKey: PLATFORM_KEY } },
  paypal: { method: 'paypal', paypal: { ...PAYPAL_APP, webhookId: 'WH-1' } },
};

/** Says where people are paid, and pays them: what the company does about payouts. */
export class Cashier {
  readonly #project: TestProject;
  readonly #caller: Caller;
  readonly #reader: Reader;
  readonly releases: Releases;
  #widgetSecret = '';
  #methods: readonly BookedMethod[] = [];
  /** Where PayPal sends webhooks to. */
  #hookPath = '';

  constructor(project: TestProject, caller: Caller, reader: Reader) {
    this.#project = project;
    this.#caller = caller;
    this.#reader = reader;
    this.releases = new Releases(project, caller);
  }

  async setUp(methods: readonly BookedMethod[]): Promise<void> {
    const { projectId, workspaceId } = this.#project;
    this.#methods = methods;
    const { secret } = await operate(
      this.#caller,
      'POST',
      `/v1/projects/${projectId}/widget-secrets`,
    );
    this.#widgetSecret = secret;
    for (const method of methods) {
      const path = `/v1/workspaces/${workspaceId}/payout-connections`;
      const body = { environment: 'live', ...CONNECTIONS[method] };
      const { data } = await operate(this.#caller, 'PUT', path, body);
      if (method === 'paypal') this.#hookPath = new URL(data.webhookUrl).pathname;
    }
  }

  /** The Project's own account, through which credit is delivered. */
  async connectStripe(): Promise<void> {
    const { projectId } = this.#project;
    const path = '/v1/integrations/stripe/connections';
    await operate(this.#caller, 'POST', path, { projectId, restrictedKey: STRIPE_KEY });
  }

  async act(operation: Exclude<PayoutOperation, { kind: 'details' }>): Promise<Answer | null> {
    switch (operation.kind) {
      case 'payout':
        return this.pay(operation.method, operation.steps);
      case 'batch': {
        const batches = await this.batches();
        const batch = batches[operation.nth % Math.max(1, batches.length)];
        return batch ? this.#post(`/v1/payout-batches/${batch.id}/${operation.action}`) : null;
      }
      case 'minimum':
        return this.setMinimum(operation.amountMinor);
      default:
        return this.#record(operation.nth, operation.outcome);
    }
  }

  /** A batch of everything that is due, taken so many steps further. */
  async pay(method: string, steps: number): Promise<Answer> {
    let answer = await this.#post('/v1/payout-batches', { method });
    const { id } = answer.body.data ?? {};
    for (const step of STEPS.slice(0, steps)) {
      if (answer.status !== 200) return answer;
      answer = await this.#post(`/v1/payout-batches/${id}/${step}`);
    }
    return answer;
  }

  /** By every provider. */
  async payAll(): Promise<void> {
    for (const method of this.#methods) await this.pay(method, 2);
  }

  setMinimum(amountMinor: string | null): Promise<Answer> {
    return this.#caller.call({
      method: 'PUT',
      path: `/v1/workspaces/${this.#project.workspaceId}/payout-settings`,
      bearer: ADMIN_TOKEN,
      body: { minimums: amountMinor === null ? {} : { USD: amountMinor } },
    });
  }

  /** Submits what is approved, and cancels what is not. */
  async finishBatches(): Promise<void> {
    for (const { id, status } of await this.batches()) {
      const action = { draft: 'cancel', reserving: 'cancel', approved: 'submit' }[status as string];
      if (action !== undefined) await this.#post(`/v1/payout-batches/${id}/${action}`);
    }
    for (const { id, method, status } of await this.payouts()) {
      if (method === 'manual_export' && status === 'processing')
        await this.#post(`/v1/payouts/${id}/result`, { outcome: 'paid' });
    }
  }

  /**
   * PayPal cannot say what became of an order whose answer was lost a month ago. Somebody looks at its website, and records
   * it.
   */
  async recordUnanswered(payments: Payments): Promise<number> {
    let recorded = 0;
    for (const { id, method, status } of await this.payouts()) {
      if (method !== 'paypal' || status !== 'processing') continue;
      const made = payments.transfers.find(({ mark }) => mark.startsWith(`${id}_`));
      const outcome = made?.hasArrived ? 'paid' : 'failed';
      const reference = made ? { reference: made.reference } : {};
      const answer = await this.#post(`/v1/payouts/${id}/result`, { outcome, ...reference });
      if (answer.status === 200) recorded += 1;
    }
    return recorded;
  }

  /** PayPal says that there is news of a transfer. */
  hint(payments: Payments, nth: number): Promise<Answer> {
    return this.#caller.call(() => ({
      method: 'POST',
      path: this.#hookPath,
      ...payments.paypal.announce(nth),
    }));
  }

  batches(): Promise<Wire[]> {
    return this.#reader.list('/v1/payout-batches?limit=100');
  }

  payouts(): Promise<Wire[]> {
    return this.#reader.list('/v1/payouts?limit=100');
  }

  /** The result of a transfer that was made by hand. */
  async #record(nth: number, outcome: string): Promise<Answer | null> {
    const payouts = await this.payouts();
    const own = payouts.filter(
      ({ method, status }) =>
        method === 'manual_export' && (status === 'processing' || status === 'paid'),
    );
    const payout = own[nth % Math.max(1, own.length)];
    return payout ? this.#post(`/v1/payouts/${payout.id}/result`, { outcome }) : null;
  }

  /** Whether somebody has details that no payout has failed by. */
  async isPayable(person: number, kind: string): Promise<boolean> {
    const { projectId } = this.#project;
    const answer = await this.#caller.call(() => ({
      method: 'GET',
      path: `/v1/widget/payout-details?projectId=${projectId}`,
      bearer: this.#sign(person, kind),
    }));
    return answer.body.status === 'active';
  }

  /** Whoever has to fill in a form of Stripe's first comes back, and saves again. */
  async saveDetails(operation: SavedDetails, kind: string): Promise<Answer> {
    const answer = await this.#saveDetails(operation, kind);
    return answer.body.onboardingUrl ? this.#saveDetails(operation, kind) : answer;
  }

  #saveDetails(operation: SavedDetails, kind: string): Promise<Answer> {
    const { projectId } = this.#project;
    const details = detailsOf(operation);
    return this.#caller.call(() => ({
      method: 'PUT',
      path: '/v1/widget/payout-details',
      // A token lasts for minutes, and a call may be repeated for longer.
      bearer: this.#sign(operation.person, kind),
      body: { projectId, details },
    }));
  }

  #sign(person: number, kind: string): string {
    return signToken(this.#project, this.#widgetSecret, { kind, externalId: externalIdOf(person) });
  }

  #post(path: string, body: object = {}): Promise<Answer> {
    const { projectId, key } = this.#project;
    return this.#caller.call({ method: 'POST', path, key, body: { projectId, ...body } });
  }
}
