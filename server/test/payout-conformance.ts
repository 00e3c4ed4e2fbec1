import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Details } from '../src/outbound/payouts/details/details.ts';
import type { PayoutProvider } from '../src/outbound/payouts/provider.ts';
import { hintTransfer } from '../src/outbound/payouts/transfers/hint-transfer.ts';
import { runPayoutsOnce } from '../src/outbound/payouts/worker.ts';
import { verifyProject } from '../src/programs/verify/verify-all.ts';
import { startService, TestClock, type TestService } from './harness.ts';
import { openPayoutShop, type PayoutShop } from './payout-shop.ts';

/** How the provider’s next answer goes wrong. */
export type Fault =
  /** Makes the transfer; the answer never comes. */
  | 'lost_answer'
  /** The order never arrives, and nobody can tell. */
  | 'lost_order'
  /** 500: whether it was made, nobody can tell; it was not. */
  | 'server_error'
  /** 429: certainly not made. */
  | 'throttled'
  /** Certainly not made, and never will be. */
  | 'rejected'
  /** Asked about a transfer, it gives no answer. */
  | 'cannot_say';

/** A transfer that the provider has really made. */
export interface Made {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** A provider and what stands behind it, in the hands of a test. */
export interface ProviderBench {
  readonly provider: PayoutProvider;
  /** Whether it cannot be asked by a key, but tells of the first order when it gets another. */
  readonly isAskedByOrder?: boolean;
  /** Whether what it takes is paid at once: nothing is ever under way, or fails later. */
  readonly paysAtOnce?: boolean;
  /** Such as it can pay to. */
  readonly details: Details;
  fault(...faults: Fault[]): void;
  transfers(): Promise<Made[]>;
  /** What becomes of a transfer. New ones are under way. */
  move(key: string, to: 'paid' | 'failed' | 'returned'): Promise<void>;
  close(): Promise<void>;
}

const UNKNOWN = { state: 'unknown' } as const;
const LEASE_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/** What every adapter must do, seen from the whole service: nobody is paid twice or forgotten. */
export function describeConformance(
  name: string,
  open: (clock: TestClock) => Promise<ProviderBench>,
): void {
  describe(`${name} conforms`, () => {
    let service: TestService;
    let bench: ProviderBench;
    beforeAll(async () => {
      const clock = new TestClock();
      bench = await open(clock);
      service = await startService({ clock, payoutProviders: [bench.provider] });
    });
    afterAll(async () => {
      await service.close();
      await bench.close();
    });

    async function submitOne(): Promise<{ shop: PayoutShop; payoutId: string; key: string }> {
      const shop = await openPayoutShop(service);
      service.payees.set(shop.adaId, bench.details);
      await shop.earn('order');
      const { payouts } = await shop.submit({ method: bench.provider.method });
      const payoutId = payouts[0].id as string;
      return { shop, payoutId, key: `${payoutId}_1` };
    }

    /** Lets time pass until whatever is due by then was called about. */
    async function wait(ms: number): Promise<void> {
      service.clock.advance(ms);
      await service.runPayouts();
    }

    const REPORTED = /: (no answer|counts as \w+)\.$/;

    /**
     * Does what is due, with a provider that answers some calls about a payout otherwise; returns
     * what was reported of its calls.
     */
    async function runWith(
      payoutId: string,
      other: Partial<Pick<PayoutProvider, 'submit' | 'find'>>,
    ): Promise<Error[]> {
      const { provider } = bench;
      const of = (about: { readonly payoutId: string }) => ({
        submit: provider.submit.bind(provider),
        find: provider.find.bind(provider),
        ...(about.payoutId === payoutId ? other : {}),
      });
      const changed: PayoutProvider = {
        method: provider.method,
        connectionId: provider.connectionId,
        submit: (order) => of(order).submit(order),
        find: (transfer) => of(transfer).find(transfer),
        report: (transfer) => provider.report(transfer),
      };
      const deps = { ...service.payoutDeps, findProvider: async () => changed };
      const thrown: Error[] = [];
      const fail = (error: unknown) => {
        if (!(error instanceof Error && REPORTED.test(error.message))) throw error;
        thrown.push(error);
      };
      while ((await runPayoutsOnce(deps, fail)) > 0);
      return thrown;
    }

    async function expectMade(payoutId: string, times: number): Promise<void> {
      const made = (await bench.transfers()).filter(({ key }) => key.startsWith(payoutId));
      expect(made).toHaveLength(times);
      for (const one of made) {
        expect(one).toMatchObject({ amountMinor: 1000n, currency: 'USD' });
      }
    }

    /** What there is to tell of once a transfer was made, and of what becomes of it later. */
    const untilPaid = (...events: string[]) => (bench.paysAtOnce ? ['paid', ...events] : events);

    async function expectEnd(shop: PayoutShop, payoutId: string, ...events: string[]) {
      const told = (await shop.feed()).filter(({ type }) => type.startsWith('payout.'));
      expect(told.map(({ type }) => type)).toEqual(events.map((one) => `payout.${one}`));
      const { body } = await shop.read(`/v1/payouts/${payoutId}`);
      expect(body.data.status).toBe(events.at(-1) ?? 'processing');
      const { kept } = await verifyProject(service.database, shop.project.projectId);
      expect(kept).toEqual([]);
      return body.data;
    }

    test('paid: after it was under way for a while', async () => {
      const { shop, payoutId, key } = await submitOne();
      await service.runPayouts();
      const underway = await expectEnd(shop, payoutId, ...untilPaid());
      expect(underway.providerReference).not.toBeNull();
      await bench.move(key, 'paid');
      await wait(LEASE_MS);
      await expectEnd(shop, payoutId, 'paid');
      await expectMade(payoutId, 1);
    });

    test('failed: its Rewards wait for the next payout', async ({ skip }) => {
      if (bench.paysAtOnce) skip('what it takes is paid');
      const { shop, payoutId, key } = await submitOne();
      await service.runPayouts();
      await bench.move(key, 'failed');
      await wait(LEASE_MS);
      const payout = await expectEnd(shop, payoutId, 'failed');
      expect(payout.failureReason).not.toBeNull();
      expect((await shop.draft({ method: bench.provider.method })).payouts).toHaveLength(1);
    });

    test('rejected at once: failed, and nothing was made', async () => {
      bench.fault('rejected');
      const { shop, payoutId } = await submitOne();
      await service.runPayouts();
      await expectEnd(shop, payoutId, 'failed');
      await expectMade(payoutId, 0);
    });

    test('returned before it was paid', async () => {
      const { shop, payoutId, key } = await submitOne();
      await service.runPayouts();
      await bench.move(key, 'returned');
      await wait(bench.paysAtOnce ? DAY_MS : LEASE_MS);
      const payout = await expectEnd(shop, payoutId, ...untilPaid('returned'));
      expect(payout.paidAt === null).toBe(!bench.paysAtOnce);
    });

    test('returned after it was paid: found out by asking on', async () => {
      const { shop, payoutId, key } = await submitOne();
      await service.runPayouts();
      await bench.move(key, 'paid');
      await wait(LEASE_MS);
      await bench.move(key, 'returned');
      await wait(DAY_MS);
      const payout = await expectEnd(shop, payoutId, 'paid', 'returned');
      expect(payout.paidAt).not.toBeNull();
    });

    test.each(['lost_answer', 'lost_order', 'server_error'] as const)(
      'an unknown outcome (%s) is asked for, and made once in the end',
      async (fault) => {
        bench.fault(fault);
        const { shop, payoutId, key } = await submitOne();
        await service.runPayouts();
        await expectEnd(shop, payoutId);
        await wait(LEASE_MS);
        await expectMade(payoutId, 1);
        await expectEnd(shop, payoutId, ...untilPaid());
        await bench.move(key, 'paid');
        await wait(LEASE_MS);
        await expectEnd(shop, payoutId, 'paid');
        await expectMade(payoutId, 1);
      },
    );

    test('as long as the provider cannot say, nothing is sent again', async () => {
      bench.fault('lost_order', 'cannot_say', 'cannot_say');
      const { payoutId } = await submitOne();
      await service.runPayouts();
      for (const ms of [60_000, 120_000]) {
        await wait(ms);
        await expectMade(payoutId, 0);
      }
      await wait(3_600_000);
      await expectMade(payoutId, 1);
    });

    test('too many calls: certainly not made, and tried anew under another key', async () => {
      bench.fault('throttled');
      const { shop, payoutId } = await submitOne();
      await service.runPayouts();
      await expectMade(payoutId, 0);
      await wait(LEASE_MS);
      await expectMade(payoutId, 1);
      await bench.move(`${payoutId}_2`, 'paid');
      await wait(LEASE_MS);
      await expectEnd(shop, payoutId, 'paid');
    });

    test('refused after it had a name, then an answer that is lost: asked for under its own name', async () => {
      const { shop, payoutId } = await submitOne();
      // Of an order that the provider took, and then could not carry out after all.
      await runWith(payoutId, {
        submit: async () => ({ state: 'processing', reference: 'first-order' }),
      });
      service.clock.advance(LEASE_MS);
      await runWith(payoutId, {
        find: async () => ({ state: 'ask_by_order' }),
        submit: async () => ({
          state: 'refused',
          failureReason: 'insufficient_funds',
          failureMessage: null,
        }),
      });
      bench.fault('lost_answer');
      await wait(LEASE_MS);
      await wait(LEASE_MS);
      await expectMade(payoutId, 1);
      await bench.move(`${payoutId}_2`, 'paid');
      await wait(LEASE_MS);
      await expectEnd(shop, payoutId, 'paid');
      await expectMade(payoutId, 1);
    });

    test('what an adapter throws is reported with its stack, and counts as unknown (D-AM-9)', async () => {
      const { shop, payoutId, key } = await submitOne();
      const cause = new Error('socket hang up');
      const thrown = await runWith(payoutId, { submit: () => Promise.reject(cause) });
      const message = `Transfer ${key} by ${bench.provider.method}: no answer.`;
      expect(thrown.map((error) => [error.message, error.cause])).toEqual([[message, cause]]);
      await expectEnd(shop, payoutId);
    });

    test('what went wrong on the way to an answer is reported, too, and the answer counts (D-AM-9)', async () => {
      const { shop, payoutId, key } = await submitOne();
      const problem = new Error('socket hang up');
      const thrown = await runWith(payoutId, {
        submit: async () => ({ state: 'processing', reference: 'first-order', problem }),
      });
      const message = `Transfer ${key} by ${bench.provider.method}: counts as processing.`;
      expect(thrown.map((error) => [error.message, error.cause])).toEqual([[message, problem]]);
      const { body } = await shop.read(`/v1/payouts/${payoutId}`);
      expect(body.data).toMatchObject({ status: 'processing', providerReference: 'first-order' });
    });

    test('the same order twice makes one transfer, and both answers tell of it', async () => {
      const order = {
        payoutId: 'po_twice',
        key: 'po_twice_1',
        sentAt: null,
        amountMinor: 1000n,
        currency: 'USD',
        currencyExponent: 2,
        details: bench.details,
        payeeName: 'Ada Lovelace',
      };
      const answers = await Promise.all([
        bench.provider.submit(order),
        bench.provider.submit(order),
      ]);
      expect(answers[0]).toEqual(answers[1]);
      await expectMade('po_twice', 1);
      const { payoutId, key } = order;
      const ref = { payoutId, key, sentAt: service.clock.now, reference: null, failureCode: null };
      const asked = bench.isAskedByOrder ? 'ask_by_order' : undefined;
      const made = bench.paysAtOnce ? 'paid' : 'processing';
      expect((await bench.provider.find(ref)).state).toBe(asked ?? made);
      const none = { ...ref, payoutId: 'po_never', key: 'po_never_1' };
      expect((await bench.provider.find(none)).state).toBe(asked ?? 'none');
    });

    test('a crash between the call and its writing down: asked, not sent again', async () => {
      const { shop, payoutId, key } = await submitOne();
      let ordered = () => {};
      const wasOrdered = new Promise<void>((resolve) => {
        ordered = resolve;
      });
      void runWith(payoutId, {
        async submit(order) {
          await bench.provider.submit(order);
          ordered();
          // The process is gone before it hears the answer.
          return new Promise(() => undefined);
        },
      });
      await wasOrdered;
      await service.runPayouts();
      await expectMade(payoutId, 1);
      await bench.move(key, 'paid');
      // Not before the lease of the dead one ran out.
      await wait(LEASE_MS - 1);
      await expectEnd(shop, payoutId);
      await wait(1);
      await expectEnd(shop, payoutId, 'paid');
      await expectMade(payoutId, 1);
    });

    test('what the provider tells by itself, ten times and out of order, counts once', async () => {
      const { shop, payoutId, key } = await submitOne();
      await service.runPayouts();
      const { providerReference: reference } = await expectEnd(shop, payoutId, ...untilPaid());
      const { connectionId } = bench.provider;
      const tellTenTimes = async () => {
        const hint = { connectionId, payoutId, reference, failureCode: null };
        for (let n = 0; n < 5; n += 1) await hintTransfer(service.payoutDeps, hint);
        await Promise.all(Array.from({ length: 5 }, () => hintTransfer(service.payoutDeps, hint)));
        await service.runPayouts();
      };
      for (const state of ['paid', 'returned', 'paid', 'failed'] as const) {
        await bench.move(key, state);
        await tellTenTimes();
      }
      await expectEnd(shop, payoutId, 'paid', 'returned');
    });

    test('what the provider tells while it is asked is not lost', async () => {
      const { payoutId } = await submitOne();
      const processing = { state: 'processing', reference: 'x' } as const;
      await runWith(payoutId, { submit: async () => processing });
      service.clock.advance(LEASE_MS);
      const { connectionId } = bench.provider;
      const known: (string | null)[] = [];
      await runWith(payoutId, {
        async find({ failureCode }) {
          known.push(failureCode);
          const hint = { connectionId, payoutId, reference: 'x', failureCode: 'WRONG_NUMBER' };
          if (known.length === 1) await hintTransfer(service.payoutDeps, hint);
          return processing;
        },
      });
      expect(known).toEqual([null, 'WRONG_NUMBER']);
    });

    test('an answer that comes after its lease ran out changes nothing', async () => {
      const { shop, payoutId, key } = await submitOne();
      let answer = () => {};
      let ordered = () => {};
      const wasOrdered = new Promise<void>((resolve) => {
        ordered = resolve;
      });
      const late = runWith(payoutId, {
        submit: () => {
          ordered();
          return new Promise((resolve) => {
            const failure = { failureReason: 'account_closed', failureMessage: null } as const;
            answer = () => resolve({ state: 'failed', reference: null, ...failure });
          });
        },
      });
      await wasOrdered;
      await wait(LEASE_MS);
      await expectMade(payoutId, 1);
      answer();
      await late;
      await expectEnd(shop, payoutId, ...untilPaid());
      await bench.move(key, 'paid');
      await wait(LEASE_MS);
      await expectEnd(shop, payoutId, 'paid');
      await expectMade(payoutId, 1);
    });

    test('who has no details any more is not paid: failed, with the reason', async () => {
      const { shop, payoutId } = await submitOne();
      service.payees.forget(shop.adaId);
      await service.runPayouts();
      const payout = await expectEnd(shop, payoutId, 'failed');
      expect(payout.failureReason).toBe('invalid_details');
      await expectMade(payoutId, 0);
    });

    test('whose details are gone after the order went out is still asked about', async () => {
      bench.fault('lost_answer');
      const { shop, payoutId, key } = await submitOne();
      await service.runPayouts();
      service.payees.forget(shop.adaId);
      await wait(LEASE_MS);
      await expectEnd(shop, payoutId, ...untilPaid());
      await bench.move(key, 'paid');
      await wait(LEASE_MS);
      // Who can be asked by ordering again only, to those details, is not.
      await expectEnd(shop, payoutId, ...(bench.isAskedByOrder ? [] : ['paid']));
      await expectMade(payoutId, 1);
    });

    test('a result by hand is refused: the provider knows better', async () => {
      const { shop, payoutId } = await submitOne();
      const answer = await shop.result(payoutId, 'paid');
      expect([answer.status, answer.body.error.reason]).toEqual([409, 'invalid_transition']);
    });

    test('what nobody can answer for in a day is told by hand, and not asked any more', async () => {
      const { shop, payoutId } = await submitOne();
      const silentSince = service.clock.now;
      const silent = { submit: async () => UNKNOWN, find: async () => UNKNOWN };
      await runWith(payoutId, silent);
      service.clock.advance(DAY_MS - 1);
      await runWith(payoutId, silent);
      const early = await shop.result(payoutId, 'failed');
      expect([early.status, early.body.error.reason]).toEqual([409, 'invalid_transition']);
      service.clock.advance(1);
      const given = await shop.result(payoutId, 'failed', { failureReason: 'provider_error' });
      expect(given.status).toBe(200);
      await expectEnd(shop, payoutId, 'failed');
      const [entry] = await service.database.reads.query<{ changes: object }>(
        `select changes from audit_entries where action = 'payout.result' and target_id = $1`,
        [payoutId],
      );
      expect(entry?.changes).toMatchObject({ outcome: 'failed', unansweredSince: silentSince });
      let asked = 0;
      const count = async () => {
        asked += 1;
        return UNKNOWN;
      };
      service.clock.advance(DAY_MS);
      await runWith(payoutId, { submit: count, find: count });
      expect(asked).toBe(0);
      // A repeat changes nothing, and what has failed is not paid.
      expect((await shop.result(payoutId, 'failed')).status).toBe(200);
      expect((await shop.result(payoutId, 'paid')).status).toBe(409);
      await expectEnd(shop, payoutId, 'failed');
    });
  });
}
