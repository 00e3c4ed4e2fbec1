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
import { Api } from './api.ts';
import { Browsers } from './browsers.ts';
import type { Caller } from './caller.ts';
import { Cashier } from './cashier.ts';
import { Judgements } from './judgements.ts';
import { setUpMail } from './letters.ts';
import {
  addressOf,
  codeOf,
  customerOf,
  kindOf,
  nameOf,
  participantOf,
  partiesOf,
  sharedName,
  slugOf,
} from './names.ts';
import { methodsOf, type Operation, paysOut, type WorldSpec } from './operations.ts';
import { Programs } from './programs.ts';
import { Reader } from './reader.ts';
import { Reports } from './reports.ts';

/** The company's backend: makes the calls of a world, and remembers what was acknowledged. */
export class Actor {
  readonly spec: WorldSpec;
  readonly project: TestProject;
  readonly acknowledged: Acknowledged[] = [];
  /** The names of people who could be paid when everybody was. */
  readonly payable = new Set<string>();
  /** The ids of people whose erasure was acknowledged. */
  readonly erased = new Map<number, string>();
  /** Ends when the person is erased. */
  readonly #erasing = new Map<number, Promise<void>>();
  readonly reader: Reader;
  readonly browsers: Browsers;
  readonly cashier: Cashier;
  readonly judgements: Judgements;
  readonly programs: Programs;
  readonly reports: Reports;
  readonly #api: Api;
  readonly #receivers: Receivers;
  readonly #acted: Operation[] = [];
  /** By operation: resolves once it is acknowledged. */
  readonly #done = new Map<number, Promise<void>>();

  constructor(spec: WorldSpec, project: TestProject, caller: Caller, receivers: Receivers) {
    this.spec = spec;
    this.project = project;
    this.#api = new Api(project, caller);
    this.reader = new Reader(project, caller);
    this.browsers = new Browsers(project.projectKey, caller);
    this.cashier = new Cashier(project, caller, this.reader);
    this.judgements = new Judgements(this.#api, this.reader);
    this.programs = new Programs(this.#api, this.reader);
    this.reports = new Reports(spec, this.#api, this.programs);
    this.#receivers = receivers;
  }

  async setUp(): Promise<void> {
    await this.reports.setUp();
    if (paysOut(this.spec)) await this.cashier.setUp(methodsOf(this.spec));
    if (this.spec.stripe) await this.cashier.connectStripe();
    for (const spec of this.spec.programs) await this.programs.make(spec);
    for (const { url, fulfillmentMode } of this.spec.endpoints) {
      this.#receivers.setMode(url, 'ok');
      await this.#api.ok('POST', '/v1/webhook-endpoints', { url, fulfillmentMode });
    }
    const programIds = this.programs.made.map(({ id }) => id);
    if (this.spec.mail) await setUpMail(this.#api, programIds);
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
        : namedIn(operation).map((one) => this.#erasing.get(one));
    const act = () => this.#act(operation, before);
    return isOfBrowser ? this.browsers.inTurn(act) : act();
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
    const answer = await this.#perform(operation, sent);
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

  async #perform(operation: Operation, handle: string | null): Promise<Answer | null> {
    const api = this.#api;
    switch (operation.kind) {
      case 'join': {
        const { person, program } = operation;
        return api.post('/v1/referral-codes', {
          programId: this.programs.idOf(program),
          participant: this.#participant(person),
          code: codeOf(person, program),
        });
      }
      case 'leave': {
        const programId = this.programs.idOf(operation.program);
        const enrollmentId = await this.reader.findEnrollment(operation.person, programId);
        return enrollmentId === null ? null : api.post(`/v1/enrollments/${enrollmentId}/end`, {});
      }
      case 'signup':
        return this.reports.signUp(operation, handle);
      case 'link': {
        const { person, program } = operation;
        return api.post('/v1/referral-links', {
          programId: this.programs.idOf(program),
          participant: this.#participant(person),
          slug: slugOf(person, program),
        });
      }
      case 'click':
        return this.browsers.visit(operation, sharedName(operation));
      case 'identify':
        return api.post('/v1/identify', {
          handle,
          participant: this.#participant(operation.person),
        });
      case 'terms':
      case 'status':
      case 'policy':
        return this.programs.change(operation);
      case 'buy':
        return this.reports.buy(operation);
      case 'many':
        return this.reports.trackMany(operation.operations);
      case 'subscribe':
        return this.reports.subscribe(operation);
      case 'import':
        return this.reports.import(operation);
      case 'refund':
      case 'dispute':
      case 'restore':
      case 'win':
      case 'lose':
        return this.#adjust(operation);
      case 'erase':
        return this.#erase(operation.person, operation.isForced);
      case 'grant':
      case 'void':
      case 'revoke':
        return this.judgements.handle(operation.kind, operation.person, operation.nth);
      case 'bill':
        return api.send('PUT', '/v1/participants', {
          participant: this.#participant(operation.person),
          billingId: customerOf(operation.person),
        });
      case 'address':
        return api.send('PUT', '/v1/participants', {
          participant: this.#participant(operation.person),
          email: addressOf(operation.person),
        });
      case 'watch':
        return this.judgements.watch(operation.people.map((one) => this.#participant(one)));
      case 'decide':
        return this.judgements.decide(operation.nth, operation.decision);
      case 'details':
        return this.cashier.saveDetails(operation, kindOf(this.spec, operation.person));
      case 'payout':
      case 'batch':
      case 'result':
      case 'minimum':
        return this.cashier.act(operation);
      default:
        return null;
    }
  }

  #participant(number: number) {
    return participantOf(this.spec, number);
  }

  async #erase(number: number, isForced: boolean): Promise<Answer | null> {
    const participant = await this.reader.findParticipant(number);
    if (!participant) return null;
    const answer = await this.#api.erase(participant.id, isForced);
    if (answer.status === 200) this.erased.set(number, participant.id);
    return answer;
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
