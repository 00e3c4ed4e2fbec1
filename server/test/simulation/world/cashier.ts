import type { TestProject } from '../../new-project.ts';
import { ADMIN_TOKEN, type Answer, type Call } from '../process/service-process.ts';
import { detailsOf, signToken } from './accounts.ts';
import type { Caller } from './caller.ts';
import { externalIdOf } from './names.ts';
import type { PayoutOperation } from './operations.ts';
import type { Reader, Wire } from './reader.ts';

const STEPS = ['approve', 'submit'] as const;

/** Says where people are paid, and pays them: what the company does about payouts. */
export class Cashier {
  readonly #project: TestProject;
  readonly #caller: Caller;
  readonly #reader: Reader;
  #widgetSecret = '';

  constructor(project: TestProject, caller: Caller, reader: Reader) {
    this.#project = project;
    this.#caller = caller;
    this.#reader = reader;
  }

  async setUp(): Promise<void> {
    const { projectId, workspaceId } = this.#project;
    const { secret } = await this.#operate('POST', `/v1/projects/${projectId}/widget-secrets`);
    this.#widgetSecret = secret;
    await this.#operate('PUT', `/v1/workspaces/${workspaceId}/payout-connections`, {
      environment: 'live',
      method: 'wise',
      wise: { profileId: '4711', token: 'wise-token-0001' },
    });
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

  /** Lets a restored Workspace pay again; false while a provider was not asked yet. */
  async release(): Promise<boolean> {
    const path = `/v1/workspaces/${this.#project.workspaceId}/restores`;
    const { data } = await this.#operate('GET', path);
    const held = data.find(({ status }: Wire) => status === 'held');
    if (!held) return true;
    if (!held.canRelease) return false;
    await this.#operate('POST', `${path}/${held.id}/release`, { acceptUnassigned: true });
    return true;
  }

  /** Transfers of which the store learned after it was restored. */
  async advances(): Promise<Wire[]> {
    const path = `/v1/workspaces/${this.#project.workspaceId}/restores`;
    const all: Wire[] = [];
    for (const { id } of (await this.#operate('GET', path)).data)
      all.push(...(await this.#operate('GET', `${path}/${id}/transfers`)).data);
    return all;
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

  saveDetails(
    { person, account }: PayoutOperation & { kind: 'details' },
    kind: string,
  ): Promise<Answer> {
    const { projectId } = this.#project;
    return this.#caller.call(() => ({
      method: 'PUT',
      path: '/v1/widget/payout-details',
      // A token lasts for minutes, and a call may be repeated for longer.
      bearer: this.#sign(person, kind),
      body: { projectId, details: detailsOf(person, account) },
    }));
  }

  #sign(person: number, kind: string): string {
    return signToken(this.#project, this.#widgetSecret, { kind, externalId: externalIdOf(person) });
  }

  #post(path: string, body: object = {}): Promise<Answer> {
    const { projectId, key } = this.#project;
    return this.#caller.call({ method: 'POST', path, key, body: { projectId, ...body } });
  }

  async #operate(method: Call['method'], path: string, body?: object): Promise<Wire> {
    const answer = await this.#caller.call({
      method,
      path,
      bearer: ADMIN_TOKEN,
      ...(body ? { body } : {}),
    });
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
