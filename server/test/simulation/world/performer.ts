import type { TestProject } from '../../new-project.ts';
import type { Answer } from '../process/service-process.ts';
import { Affiliates } from './affiliates.ts';
import { Api } from './api.ts';
import { Browsers } from './browsers.ts';
import type { Caller } from './caller.ts';
import { Cashier } from './cashier.ts';
import { Judgements } from './judgements.ts';
import { addressOf, codeOf, customerOf, kindOf, participantOf, slugOf } from './names.ts';
import type { Operation, WorldSpec } from './operations.ts';
import { Programs } from './programs.ts';
import { Reader } from './reader.ts';
import { Reports } from './reports.ts';

/** Makes the call that each operation is, once, and asks the service first whom or what it is about. */
export class Performer {
  readonly spec: WorldSpec;
  readonly api: Api;
  readonly reader: Reader;
  readonly browsers: Browsers;
  readonly cashier: Cashier;
  readonly judgements: Judgements;
  readonly programs: Programs;
  readonly reports: Reports;
  readonly affiliates: Affiliates;
  /** The ids of people whose erasure was acknowledged. */
  readonly erased = new Map<number, string>();

  constructor(spec: WorldSpec, project: TestProject, caller: Caller) {
    this.spec = spec;
    this.api = new Api(project, caller);
    this.reader = new Reader(project, caller);
    this.browsers = new Browsers(project.projectKey, caller);
    this.cashier = new Cashier(project, caller, this.reader);
    this.judgements = new Judgements(this.api, this.reader);
    this.programs = new Programs(this.api, this.reader);
    this.affiliates = new Affiliates(spec, project, caller, this.reader);
    this.reports = new Reports(spec, this.api, this.programs, this.affiliates);
  }

  /** Null if it is no call, or what it is about is not there. Adjustments wait for others: `Actor` reports them. */
  async perform(operation: Operation, handle: string | null): Promise<Answer | null> {
    const { api } = this;
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
        return this.browsers.visit(operation, this.affiliates.nameOf(operation));
      case 'identify':
        return api.post('/v1/identify', {
          handle,
          participant: this.#participant(operation.person),
        });
      case 'apply':
        return this.erased.has(operation.person)
          ? null
          : this.affiliates.apply(operation, this.programs);
      case 'admit':
        return this.affiliates.admit(operation);
      case 'suspend':
      case 'reinstate':
        return this.affiliates.change(operation);
      case 'terms':
      case 'status':
      case 'policy':
        return this.programs.change(operation);
      case 'buy':
        return this.reports.buy(operation);
      case 'custom':
        return this.reports.reportCustom(operation);
      case 'many':
        return this.reports.trackMany(operation.operations);
      case 'subscribe':
        return this.reports.subscribe(operation);
      case 'import':
        return this.reports.import(operation);
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
    const answer = await this.api.erase(participant.id, isForced);
    if (answer.status === 200) this.erased.set(number, participant.id);
    return answer;
  }
}
