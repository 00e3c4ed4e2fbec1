import type { TestProject } from '../../new-project.ts';
import type { Policy, Terms } from '../model/facts.ts';
import type { Receivers } from '../outside/receivers.ts';
import type { Answer, Call } from '../process/service-process.ts';
import { adjustmentOf } from './adjustments.ts';
import { Browsers } from './browsers.ts';
import type { Caller } from './caller.ts';
import { Cashier } from './cashier.ts';
import { codeOf, externalIdOf, nameOf, slugOf } from './names.ts';
import {
  type Operation,
  type ProgramSpec,
  paysOut,
  type RuleSpec,
  type WorldSpec,
} from './operations.ts';
import { Reader, type Wire } from './reader.ts';
import { toWire } from './to-wire.ts';

const person = (number: number) => ({ kind: 'individual', externalId: externalIdOf(number) });

/** The code or the slug by which somebody refers. */
export const sharedName = ({
  referrer,
  program,
  via,
}: {
  readonly referrer: number;
  readonly program: number;
  readonly via: 'code' | 'link';
}) => (via === 'code' ? codeOf(referrer, program) : slugOf(referrer, program));

/** Everybody whom an operation names. */
const namedIn = (operation: Operation) =>
  [
    'person' in operation ? operation.person : null,
    'referrer' in operation ? operation.referrer : null,
    ...('people' in operation ? operation.people : []),
  ].filter((one) => one !== null);

/** What looks for a reward first would find another one. */
const REPEATABLE = [
  ...['join', 'link', 'signup', 'buy', 'leave'],
  ...['refund', 'restore', 'dispute', 'win', 'lose'],
];

interface MadeRule {
  readonly id: string;
  readonly spec: RuleSpec;
  readonly versions: { readonly effectiveAt: string; readonly terms: Terms }[];
}

export interface MadeProgram {
  readonly id: string;
  readonly spec: ProgramSpec;
  readonly rules: MadeRule[];
  readonly statuses: { readonly from: string; readonly status: string }[];
  readonly policies: { readonly effectiveAt: string; readonly policy: Policy }[];
}

/** A call that the service has acknowledged, with what it answered. */
export interface Acknowledged {
  readonly operation: Operation;
  readonly answer: Answer;
  /** The handle that was sent with it. */
  readonly sent: string | null;
}

/** What the backend knew when the store was copied. */
export interface Remembered {
  readonly acknowledged: number;
  readonly acted: number;
  readonly reported: ReadonlySet<string>;
  readonly erased: ReadonlyMap<number, string>;
  readonly times: ReadonlyMap<string, string>;
  readonly programs: readonly {
    readonly statuses: number;
    readonly policies: number;
    readonly versions: readonly number[];
  }[];
}

/** What is sent again after the store was lost. Grants and voids name rewards, which are others by then. */
const SENT_AGAIN = [
  ...['join', 'leave', 'signup', 'buy', 'refund', 'restore', 'dispute', 'win', 'lose'],
  ...['erase', 'details', 'terms', 'status', 'policy', 'watch'],
];

/** The company's backend: makes the calls of a world, and remembers what was acknowledged. */
export class Actor {
  readonly spec: WorldSpec;
  readonly project: TestProject;
  readonly programs: MadeProgram[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** The names of people who could be paid when everybody was. */
  readonly payable = new Set<string>();
  /** Rewards that were reported as granted. */
  readonly reported = new Set<string>();
  /** Rewards that an operator has voided, or tried to. */
  readonly voided = new Set<string>();
  /** The ids of people whose erasure was acknowledged. */
  readonly erased = new Map<number, string>();
  /** Ends when the person is erased. */
  readonly #erasing = new Map<number, Promise<void>>();
  readonly reader: Reader;
  readonly browsers: Browsers;
  readonly cashier: Cashier;
  readonly #caller: Caller;
  readonly #receivers: Receivers;
  readonly #acted: Operation[] = [];
  /** By operation: resolves once it is acknowledged. */
  readonly #done = new Map<number, Promise<void>>();
  /** When adjustments happened, by their ids. */
  readonly #times = new Map<string, string>();
  #sourceNamespaceId = '';

  constructor(spec: WorldSpec, project: TestProject, caller: Caller, receivers: Receivers) {
    this.spec = spec;
    this.project = project;
    this.#caller = caller;
    this.reader = new Reader(project, caller);
    this.browsers = new Browsers(project.projectKey, caller);
    this.cashier = new Cashier(project, caller, this.reader);
    this.#receivers = receivers;
  }

  async setUp(): Promise<void> {
    const source = await this.#ok('POST', '/v1/sources', {});
    this.#sourceNamespaceId = source.sourceNamespaceId;
    if (paysOut(this.spec)) await this.cashier.setUp();
    for (const spec of this.spec.programs) this.programs.push(await this.#makeProgram(spec));
    for (const { url, fulfillmentMode } of this.spec.endpoints) {
      this.#receivers.setMode(url, 'ok');
      await this.#ok('POST', '/v1/webhook-endpoints', { url, fulfillmentMode });
    }
  }

  async #makeProgram(spec: ProgramSpec): Promise<MadeProgram> {
    const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
    const { data } = await this.#ok('POST', '/v1/programs', {
      kind: 'referral',
      name: spec.key,
      config,
    });
    const settings = { holdDays: spec.holdDays, ...spec.methods };
    await this.#ok('PUT', `/v1/programs/${data.id}/delivery-settings`, settings);
    const rules: MadeRule[] = [];
    for (const rule of spec.rules) {
      const { eventType, role: beneficiaryRole, purpose, key: name, terms } = rule;
      const made = await this.#ok('POST', '/v1/benefit-rules', {
        programId: data.id,
        eventType,
        beneficiaryRole,
        purpose,
        name,
        terms: toWire(terms),
      });
      rules.push({
        id: made.data.id,
        spec: rule,
        versions: [{ effectiveAt: made.data.initialEffectiveAt, terms }],
      });
    }
    if (spec.risk)
      await this.#ok('POST', `/v1/programs/${data.id}/risk-policies`, {
        mode: 'review',
        ...spec.risk,
      });
    const active = await this.#ok('POST', `/v1/programs/${data.id}/status`, { status: 'active' });
    const policies = await this.reader.read(`/v1/programs/${data.id}/attribution-policies`);
    return {
      policies: policies.data.map(({ effectiveAt, model, windowDays }: Wire) => ({
        effectiveAt,
        policy: { model, windowDays },
      })),
      id: data.id,
      spec,
      rules,
      statuses: [{ from: active.data.updatedAt, status: 'active' }],
    };
  }

  async seePayable(): Promise<void> {
    for (let person = 0; person < this.spec.people; person += 1)
      if (await this.cashier.isPayable(person)) this.payable.add(nameOf(person));
  }

  /** When an adjustment happened. */
  readonly timeOf = (sourceEventId: string): string => {
    // A repeat says the same.
    const known = this.#times.get(sourceEventId);
    if (known !== undefined) return known;
    const now = new Date().toISOString();
    this.#times.set(sourceEventId, now);
    return now;
  };

  /** Does one operation, as often as it takes. */
  act(operation: Operation): Promise<void> {
    this.#acted.push(operation);
    const done = this.#actInTurn(operation);
    if (operation.kind === 'erase') this.#erasing.set(operation.person, done);
    this.#done.set(operation.id, done);
    return done;
  }

  remember(): Remembered {
    return {
      acknowledged: this.acknowledged.length,
      acted: this.#acted.length,
      reported: new Set(this.reported),
      erased: new Map(this.erased),
      times: new Map(this.#times),
      programs: this.programs.map(({ statuses, policies, rules }) => ({
        statuses: statuses.length,
        policies: policies.length,
        versions: rules.map(({ versions }) => versions.length),
      })),
    };
  }

  /** Forgets all answers since, and sends what had got them again, in the same order. */
  async repeat(known: Remembered): Promise<void> {
    const lost = this.#acted.splice(known.acted);
    this.acknowledged.length = known.acknowledged;
    replaceAll(this.reported, known.reported);
    this.erased.clear();
    for (const [person, id] of known.erased) this.erased.set(person, id);
    this.#times.clear();
    for (const [key, time] of known.times) this.#times.set(key, time);
    for (const [at, program] of this.programs.entries()) {
      const before = known.programs[at];
      program.statuses.length = before?.statuses ?? 0;
      program.policies.length = before?.policies ?? 0;
      for (const [rule, { versions }] of program.rules.entries())
        versions.length = before?.versions[rule] ?? 0;
    }
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
    if (answer) this.acknowledged.push({ operation, answer, sent });
  }

  #sentWith(operation: Operation): string | null {
    if (operation.kind === 'identify') return this.browsers.handleOf(operation.browser);
    if (operation.kind !== 'signup' || operation.browser === null) return null;
    return this.browsers.sentBy(operation.person, operation.browser);
  }

  async #perform(operation: Operation, handle: string | null): Promise<Answer | null> {
    switch (operation.kind) {
      case 'join': {
        const { person: number, program } = operation;
        const programId = this.programs[program]?.id;
        return this.#post('/v1/referral-codes', {
          programId,
          participant: person(number),
          code: codeOf(number, program),
        });
      }
      case 'leave': {
        const programId = this.programs[operation.program]?.id ?? '';
        const enrollmentId = await this.reader.findEnrollment(operation.person, programId);
        return enrollmentId === null ? null : this.#post(`/v1/enrollments/${enrollmentId}/end`, {});
      }
      case 'signup': {
        const { referrer } = operation;
        return this.#track({
          type: 'signup',
          participant: person(operation.person),
          ...(referrer === null ? {} : { refCode: sharedName({ ...operation, referrer }) }),
          ...(handle === null ? {} : { identify: { handle } }),
        });
      }
      case 'link': {
        const { person: number, program } = operation;
        const programId = this.programs[program]?.id;
        return this.#post('/v1/referral-links', {
          programId,
          participant: person(number),
          slug: slugOf(number, program),
        });
      }
      case 'click':
        return this.browsers.visit(operation, sharedName(operation));
      case 'identify':
        return this.#post('/v1/identify', {
          handle,
          participant: person(operation.person),
        });
      case 'policy': {
        const program = this.programs[operation.program];
        if (!program) return null;
        const path = `/v1/programs/${program.id}/attribution-policies`;
        const { policy } = operation;
        const answer = await this.#postOnce(path, policy, operation);
        if (answer.status === 200)
          program.policies.push({ effectiveAt: answer.body.data.effectiveAt, policy });
        return answer;
      }
      case 'buy':
        return this.#track({
          type: 'purchase',
          sourceEventId: `o${operation.order}`,
          participant: person(operation.person),
          purchase: { amountMinor: String(operation.amountMinor), currency: 'USD' },
        });
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
        return this.#handle(operation.kind, operation.person, operation.nth);
      case 'terms': {
        const rule = this.programs[operation.program]?.rules[operation.rule];
        if (!rule) return null;
        const path = `/v1/benefit-rules/${rule.id}/terms`;
        const answer = await this.#postOnce(path, { terms: toWire(operation.terms) }, operation);
        if (answer.status === 200)
          rule.versions.push({ effectiveAt: answer.body.data.effectiveAt, terms: operation.terms });
        return answer;
      }
      case 'status': {
        const program = this.programs[operation.program];
        if (!program) return null;
        const path = `/v1/programs/${program.id}/status`;
        const answer = await this.#postOnce(path, { status: operation.status }, operation);
        if (answer.status === 200)
          program.statuses.push({ from: answer.body.data.updatedAt, status: operation.status });
        return answer;
      }
      case 'watch':
        return this.#watch(operation.people);
      case 'decide':
        return this.#decide(operation.nth, operation.decision);
      case 'details':
      case 'payout':
      case 'batch':
      case 'result':
      case 'minimum':
        return this.cashier.act(operation);
      default:
        return null;
    }
  }

  /** Reports or voids the n-th reward that somebody has now. */
  async #handle(
    what: 'grant' | 'void' | 'revoke',
    number: number,
    nth: number,
  ): Promise<Answer | null> {
    const all = await this.reader.rewards();
    const own = all.filter(({ beneficiary }) => beneficiary.externalId === externalIdOf(number));
    const reward = own[nth % Math.max(1, own.length)];
    if (!reward) return null;
    if (what === 'void') this.voided.add(reward.id);
    if (what === 'void')
      return this.#post(`/v1/rewards/${reward.id}/void`, { reasonCode: 'fraud' });
    if (what === 'grant') this.reported.add(reward.id);
    const action = what === 'grant' ? 'fulfillment' : 'revocation';
    return this.#post(`/v1/rewards/${reward.id}/${action}`, {
      externalReference: `${what} ${reward.id}`,
    });
  }

  #watch(people: readonly number[]): Promise<Answer> {
    const nothing = { emailDomains: [], networks: [], participants: [] };
    const participants = people.map(person);
    return this.#send('PUT', `/v1/projects/${this.project.projectId}/risk-lists`, {
      allowed: nothing,
      watched: { ...nothing, participants },
    });
  }

  async #decide(nth: number, decision: 'approve' | 'reject'): Promise<Answer | null> {
    const reviews = await this.reader.list('/v1/risk-reviews?limit=50');
    const review = reviews[nth % Math.max(1, reviews.length)];
    return review ? this.#post(`/v1/risk-reviews/${review.id}/decision`, { decision }) : null;
  }

  async #erase(number: number, isForced: boolean): Promise<Answer | null> {
    const { projectId, key } = this.project;
    const participant = await this.reader.findParticipant(number);
    if (!participant) return null;
    const path = `/v1/participants/${participant.id}?projectId=${projectId}&force=${isForced}`;
    const answer = await this.#caller.call({ method: 'DELETE', path, key });
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
    return this.spec.operations.find(isIt);
  }

  async #adjust(operation: Operation): Promise<Answer | null> {
    const reported = adjustmentOf(this.spec, operation);
    if (!reported) return null;
    const { key, kind, order, amountMinor, of, isEarly, target } = reported;
    if (!isEarly && !(await this.#isThere('buy', order))) return null;
    if (target !== null) {
      if (!this.#done.has(target)) return null;
      await this.#done.get(target);
    }
    return this.#post('/v1/track/adjustments', {
      sourceNamespaceId: this.#sourceNamespaceId,
      sourceEventId: key,
      kind,
      occurredAt: this.timeOf(key),
      purchase: { sourceEventId: `o${order}` },
      ...(kind === 'dispute_lost'
        ? { closes: of }
        : { amountMinor: String(amountMinor), currency: 'USD', currencyExponent: 2 }),
      ...(kind === 'restoration' ? { restores: of } : {}),
    });
  }

  #track(body: object): Promise<Answer> {
    return this.#post('/v1/track/events', { sourceNamespaceId: this.#sourceNamespaceId, ...body });
  }

  #post(path: string, body: object): Promise<Answer> {
    return this.#send('POST', path, body);
  }

  /** For a call that would do something again if it was repeated. */
  #postOnce(path: string, body: object, { id }: Operation): Promise<Answer> {
    return this.#send('POST', path, body, `operation-${id}`);
  }

  #send(
    method: Call['method'],
    path: string,
    body: object,
    idempotencyKey?: string,
  ): Promise<Answer> {
    const { projectId, key } = this.project;
    return this.#caller.call({ method, path, key, body: { projectId, ...body }, idempotencyKey });
  }

  async #ok(method: Call['method'], path: string, body: object) {
    const answer = await this.#send(method, path, body);
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

function replaceAll<T>(set: Set<T>, by: ReadonlySet<T>): void {
  set.clear();
  for (const one of by) set.add(one);
}
