import type { TestProject } from '../../new-project.ts';
import type { Receivers } from '../outside/receivers.ts';
import type { Answer } from '../process/service-process.ts';
import {
  type Acknowledged,
  flatten,
  namedIn,
  REPEATABLE,
  type Remembered,
  replaceAll,
  SENT_AGAIN,
} from './acting.ts';
import { adjustmentOf } from './adjustments.ts';
import type { Caller } from './caller.ts';
import { setUpMail } from './letters.ts';
import { kindOf, nameOf, partiesOf } from './names.ts';
import { methodsOf, type Operation, paysOut, usesStripe, type WorldSpec } from './operations.ts';
import { Performer } from './performer.ts';

/** The company's backend: makes the calls of a world, and remembers what was acknowledged. */
export class Actor {
  readonly spec: WorldSpec;
  readonly project: TestProject;
  readonly acknowledged: Acknowledged[] = [];
  /** The names of people who could be paid when everybody was. */
  readonly payable = new Set<string>();
  /** Ends when the person is erased. */
  readonly #erasing = new Map<number, Promise<void>>();
  /** Ends when what is decided about an applicant is known. */
  readonly #applying = new Map<number, Promise<void>>();
  readonly #performer: Performer;
  readonly #receivers: Receivers;
  readonly #acted: Operation[] = [];
  /** By operation: resolves once it is acknowledged. */
  readonly #done = new Map<number, Promise<void>>();

  constructor(spec: WorldSpec, project: TestProject, caller: Caller, receivers: Receivers) {
    this.spec = spec;
    this.project = project;
    this.#performer = new Performer(spec, project, caller);
    this.#receivers = receivers;
  }

  get erased() {
    return this.#performer.erased;
  }

  get affiliates() {
    return this.#performer.affiliates;
  }

  get reader() {
    return this.#performer.reader;
  }

  get browsers() {
    return this.#performer.browsers;
  }

  get cashier() {
    return this.#performer.cashier;
  }

  get judgements() {
    return this.#performer.judgements;
  }

  get programs() {
    return this.#performer.programs;
  }

  get reports() {
    return this.#performer.reports;
  }

  async setUp(): Promise<void> {
    await this.reports.setUp();
    if (paysOut(this.spec)) await this.cashier.setUp(methodsOf(this.spec));
    if (usesStripe(this.spec)) await this.cashier.connectStripe();
    for (const spec of this.spec.programs) await this.programs.make(spec);
    for (const { url, fulfillmentMode } of this.spec.endpoints) {
      this.#receivers.setMode(url, 'ok');
      await this.#performer.api.ok('POST', '/v1/webhook-endpoints', { url, fulfillmentMode });
    }
    const programIds = this.programs.made.map(({ id }) => id);
    if (this.spec.mail) await setUpMail(this.#performer.api, programIds);
    await this.programs.importStarts();
  }

  async seePayable(): Promise<void> {
    for (let person = 0; person < partiesOf(this.spec); person += 1)
      if (await this.cashier.isPayable(person, kindOf(this.spec, person)))
        this.payable.add(nameOf(person));
  }

  /** Does one operation, as often as it takes. */
  act(operation: Operation): Promise<void> {
    this.#acted.push(operation);
    const done = this.#actInTurn(operation);
    if (operation.kind === 'erase') this.#erasing.set(operation.person, done);
    if (operation.kind === 'apply' || operation.kind === 'admit')
      this.#applying.set(operation.person, done);
    for (const { id } of flatten([operation])) this.#done.set(id, done);
    return done;
  }

  remember(): Remembered {
    return {
      acknowledged: this.acknowledged.length,
      acted: this.#acted.length,
      reported: new Set(this.judgements.reported),
      erased: new Map(this.erased),
      times: this.reports.remember(),
      programs: this.programs.remember(),
    };
  }

  /** Forgets all answers since, and sends what had got them again, in the same order. */
  async repeat(known: Remembered): Promise<void> {
    const lost = this.#acted.splice(known.acted);
    this.acknowledged.length = known.acknowledged;
    replaceAll(this.judgements.reported, known.reported);
    this.erased.clear();
    for (const [person, id] of known.erased) this.erased.set(person, id);
    this.reports.goBack(known.times);
    this.programs.goBack(known.programs);
    for (const operation of lost)
      if (SENT_AGAIN.includes(operation.kind)) await this.act(operation);
  }

  #actInTurn(operation: Operation): Promise<void> {
    const isOfBrowser = 'browser' in operation && operation.browser !== null;
    // Whether a call was processed before an erasure cannot be learned from a repeat, which is refused. An erasure that
    // begins while this operation waits for its turn waits for it.
    const before =
      operation.kind === 'erase'
        ? [...this.#done.values()]
        : namedIn(operation).flatMap((one) => this.#changesOf(one));
    const act = () => this.#act(operation, before);
    return isOfBrowser ? this.browsers.inTurn(act) : act();
  }

  /** What must be over before somebody is named. */
  #changesOf(person: number) {
    return [this.#erasing.get(person), this.#applying.get(person)];
  }

  async #act(operation: Operation, before: readonly (Promise<void> | undefined)[]): Promise<void> {
    if (operation.kind === 'again') {
      const first = this.#find(({ id }) => id === operation.operation);
      const isRepeatable = first && REPEATABLE.includes(first.kind);
      if (first && isRepeatable) await this.#actInTurn(first);
      return;
    }
    await Promise.all(before);
    const sent = this.#sentWith(operation);
    const answer = await (adjustmentOf(this.spec, operation)
      ? this.#adjust(operation)
      : this.#performer.perform(operation, sent));
    if (!answer) return;
    if (operation.kind === 'many') this.#acknowledgeEach(operation.operations, answer);
    else this.acknowledged.push({ operation, answer, sent });
  }

  /** What was reported in one call is known one by one. */
  #acknowledgeEach(operations: readonly Operation[], { body, location }: Answer): void {
    for (const [at, operation] of operations.entries()) {
      const result = body.results[at];
      const { code } = result.error ?? {};
      if (code !== undefined && code !== 'CONFLICT')
        throw new Error(`${operation.kind} was refused with others: ${JSON.stringify(result)}`);
      const status = result.success ? 200 : 409;
      this.acknowledged.push({ operation, answer: { status, body: result, location }, sent: null });
    }
  }

  #sentWith(operation: Operation): string | null {
    if (operation.kind === 'identify') return this.browsers.handleOf(operation.browser);
    if (operation.kind !== 'signup' || operation.browser === null) return null;
    return this.browsers.sentBy(operation.person, operation.browser);
  }

  /** Waits until an earlier operation is answered; false if it was refused, or there is none. */
  async #isThere(kind: 'buy', order: number): Promise<boolean> {
    const one = this.#find((other) => other.kind === kind && other.order === order);
    if (!one) return false;
    await this.#done.get(one.id);
    return this.acknowledged.some(
      ({ operation, answer }) => operation.id === one.id && answer.status === 200,
    );
  }

  #find(isIt: (one: Operation) => boolean): Operation | undefined {
    return flatten(this.spec.operations).find(isIt);
  }

  async #adjust(operation: Operation): Promise<Answer | null> {
    const reported = adjustmentOf(this.spec, operation);
    if (!reported) return null;
    const { order, isEarly, target } = reported;
    if (!isEarly && !(await this.#isThere('buy', order))) return null;
    if (target !== null) {
      if (!this.#done.has(target)) return null;
      await this.#done.get(target);
    }
    return this.reports.adjust(reported);
  }
}
