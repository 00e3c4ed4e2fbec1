import { declareEverywhere } from '../../../src/accounts/workspaces/payment-hold/declare-restore.ts';
import { makeNewId } from '../../../src/platform/kit/ids.ts';
import { toInstant } from '../../../src/platform/kit/instant.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Payments } from '../outside/payments.ts';
import type { Receivers } from '../outside/receivers.ts';
import type { StoreCopies } from '../outside/store-copies.ts';
import { LATE_MS } from '../outside/stripe-books.ts';
import type { ServiceProcess } from '../process/service-process.ts';
import type { Remembered } from './acting.ts';
import type { Actor } from './actor.ts';

/** A store is not put back at once. By then nothing is on its way to a provider any more. */
const OUTAGE_MS = 60_000;
const STRIPE_OUTAGE_MS = LATE_MS + 15_000;
const ASK_AGAIN_MS = 20_000;

interface Place {
  readonly time: VirtualTime;
  readonly copies: StoreCopies;
  readonly processes: readonly ServiceProcess[];
  readonly actor: Actor;
  readonly receivers: Receivers;
  readonly payments: Payments;
}

/** A backup of the store, its loss, and what people do then. The providers keep their books. */
export class Restores {
  readonly #place: Place;
  #backup: { readonly takenMs: number; readonly known: Remembered } | null = null;
  /** Nobody starts processes meanwhile. */
  isUnderWay = false;

  constructor(place: Place) {
    this.#place = place;
  }

  async backUp(): Promise<void> {
    const { time, copies, actor } = this.#place;
    const takenMs = time.nowMs;
    await copies.take();
    this.#backup = { takenMs, known: actor.remember() };
  }

  /** The store is lost and put back. What was acknowledged since is repeated, and then the service pays again. */
  async putBack(): Promise<boolean> {
    if (!this.#backup) return false;
    const { time, processes, copies, actor, receivers, payments } = this.#place;
    const { takenMs, known } = this.#backup;
    this.isUnderWay = true;
    for (const one of processes) one.crash();
    await time.sleep(actor.spec.stripe ? STRIPE_OUTAGE_MS : OUTAGE_MS);
    await copies.putBack();
    await this.#declare(takenMs);
    receivers.forgetSince(takenMs);
    payments.forgetOrders();
    for (const one of processes) await one.start();
    this.isUnderWay = false;
    await actor.repeat(known);
    // Somebody does not wait until it may pay again.
    await actor.cashier.payAll();
    await this.#release(() => payments.paypal.showSince(takenMs));
    return true;
  }

  async #release(website: () => readonly string[]): Promise<void> {
    const { time, actor, payments } = this.#place;
    for (;;) {
      payments.stripe.noteHold();
      if (await actor.cashier.releases.release(website)) return;
      await time.sleep(ASK_AGAIN_MS);
    }
  }

  /** Before any worker starts, as `npm run restore -- --declare` does. */
  async #declare(takenMs: number): Promise<void> {
    const { time, copies } = this.#place;
    const newId = makeNewId(() => time.nowMs);
    const now = toInstant(time.nowMs);
    const since = toInstant(takenMs);
    const declaration = { cause: 'declared' as const, since, note: null, now };
    await copies.database.transaction((tx) => declareEverywhere({ tx, newId }, declaration));
  }
}
