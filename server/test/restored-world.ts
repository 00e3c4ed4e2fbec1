import { expect } from 'vitest';
import { type Backup, loadBackup, takeBackup } from './backup-rows.ts';
import type { Answer, TestService } from './harness.ts';
import type { TestProject } from './new-project.ts';
import { openPayoutShop } from './payout-shop.ts';
import { makeSigner } from './widget-token.ts';

const ok = (answer: Answer): Answer => {
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer;
};

/** A service, and after a loss the one on the restored store, with the providers of both. */
export interface World {
  service: TestService;
  readonly project: TestProject;
  readonly path: string;
  read(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
  operate(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer>;
  /** Bob buys so often, by which ada earns 10 dollars each. */
  earn(...orders: string[]): Promise<void>;
  /** Where somebody is paid. */
  save(details: object, externalId?: string): Promise<void>;
  /** Drafts, approves and submits, and pays what is due. Returns the payouts. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  pay(method: string): Promise<any[]>;
  draft(method: string): Promise<string>;
  act(batchId: string, action: 'approve' | 'submit'): Promise<Answer>;
  /** Of the restore that is open. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  held(): Promise<any>;
  backUp(): Promise<Backup>;
  /** The store of now is lost; another service runs on the backup, which is declared. */
  restore(backup: Backup, since: string): Promise<void>;
  release(body?: object): Promise<Answer>;
}

/** On the first of two services, which have the same clock and providers. The second has the restored store. */
export async function openWorld(first: TestService, second: TestService): Promise<World> {
  const shop = await openPayoutShop(first);
  const { project } = shop;
  first.payees.forget(shop.adaId);
  const { projectId, workspaceId } = project;
  const secretPath = `/v1/projects/${projectId}/widget-secrets`;
  const { secret } = ok(await first.call('POST', secretPath, { as: 'operator' })).body;
  const path = `/v1/workspaces/${workspaceId}/restores`;
  const world: World = {
    service: first,
    project,
    path,
    read: (url, query = {}) =>
      world.service.call('GET', url, { as: project.key, query: { projectId, ...query } }),
    post: (url, body = {}) =>
      world.service.call('POST', url, { as: project.key, body: { projectId, ...body } }),
    operate: (method, url, body) =>
      world.service.call(method, url, { as: 'operator', ...(body ? { body } : {}) }),
    async earn(...orders) {
      const { sourceNamespaceId } = shop;
      for (const sourceEventId of orders) {
        const participant = { kind: 'individual', externalId: 'bob' };
        const purchase = { amountMinor: '1000', currency: 'USD' };
        const fact = { type: 'purchase', participant, sourceEventId, purchase };
        ok(await world.post('/v1/track/events', { sourceNamespaceId, ...fact }));
      }
    },
    async save(details, externalId = 'ada') {
      const sign = makeSigner(world.service, project, secret);
      const token = await sign({ claims: { sub: externalId } });
      const headers = { authorization: `Bearer ${token}` };
      const body = { projectId, details };
      ok(
        await world.service.call('PUT', '/v1/widget/payout-details', {
          as: 'nobody',
          headers,
          body,
        }),
      );
    },
    async draft(method) {
      return ok(await world.post('/v1/payout-batches', { method })).body.data.id;
    },
    act: (batchId, action) => world.post(`/v1/payout-batches/${batchId}/${action}`),
    async pay(method) {
      const id = await world.draft(method);
      ok(await world.act(id, 'approve'));
      ok(await world.act(id, 'submit'));
      await world.service.runPayouts();
      return ok(await world.read('/v1/payouts', { batchId: id })).body.data;
    },
    async held() {
      const { body } = ok(await world.operate('GET', path));
      return body.data.find(({ status }: { status: string }) => status === 'held');
    },
    backUp: () => takeBackup(world.service.database),
    async restore(backup, since) {
      await loadBackup(second.database, backup);
      world.service = second;
      ok(await world.operate('POST', path, { since }));
    },
    async release(body = {}) {
      const { id } = await world.held();
      return world.operate('POST', `${path}/${id}/release`, body);
    },
  };
  return world;
}
