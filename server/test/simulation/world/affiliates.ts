import type { TestProject } from '../../new-project.ts';
import { ADMIN_TOKEN, type Answer, type Call } from '../process/service-process.ts';
import type { Caller } from './caller.ts';
import { addressOf, everybodyOf, externalIdOf, partiesOf, sharedName } from './names.ts';
import { operate } from './operate.ts';
import type { Operation, WorldSpec } from './operations.ts';
import type { Programs } from './programs.ts';
import type { Reader, Wire } from './reader.ts';

/** Somebody who was let in, with what they refer by. */
export interface LetIn {
  readonly partnerId: string;
  readonly participantId: string;
  readonly programId: string;
  readonly code: Wire;
  readonly link: Wire;
}

type Of<Kind extends Operation['kind']> = Operation & { readonly kind: Kind };

/** What people type who have the code of somebody who is no partner yet. */
const NO_CODE = 'nobody-has-this';
const PROOF = '/partner-applications/verify';

/** Those who apply as partners, and what operators do about them. */
export class Affiliates {
  readonly #spec: WorldSpec;
  readonly #project: TestProject;
  readonly #caller: Caller;
  readonly #reader: Reader;
  /** By their numbers. */
  readonly letIn = new Map<number, LetIn>();
  /** The last application of each of them. */
  readonly #applications = new Map<number, string>();

  constructor(spec: WorldSpec, project: TestProject, caller: Caller, reader: Reader) {
    this.#spec = spec;
    this.#project = project;
    this.#caller = caller;
    this.#reader = reader;
  }

  /** By what somebody refers. That of a partner is not known before they were let in. */
  nameOf(shared: Parameters<typeof sharedName>[0]): string {
    const { referrer, via } = shared;
    if (referrer < partiesOf(this.#spec) || referrer >= everybodyOf(this.#spec))
      return sharedName(shared);
    const partner = this.letIn.get(referrer);
    if (!partner) return NO_CODE;
    return via === 'code' ? partner.code.code : partner.link.slug;
  }

  async apply({ person, program, isProven }: Of<'apply'>, programs: Programs): Promise<Answer> {
    const name = `Somebody ${externalIdOf(person)}`;
    const answer = await this.#call('POST', '/v1/partner-applications', {
      projectId: this.#project.projectId,
      programId: programs.idOf(program),
      name,
      email: addressOf(person),
      // A company's name is in the address of its link.
      ...(person % 2 === 0
        ? { profileType: 'individual' }
        : { profileType: 'company', companyName: name }),
    });
    if (answer.status !== 200) return answer;
    const { id } = answer.body.data;
    this.#applications.set(person, id);
    if (isProven) await this.#prove(id);
    return answer;
  }

  /** Nobody mails the link: an operator passes it on. */
  async #prove(id: string): Promise<void> {
    const application = (await this.applications()).find((one) => one.id === id);
    if (!application?.verificationUrl) return;
    const token = new URL(application.verificationUrl).searchParams.get('token') ?? '';
    const page = await this.#call('GET', `${PROOF}?${new URLSearchParams({ token })}`);
    const [, digest = ''] = /name="digest" value="([^"]*)"/.exec(page.body) ?? [];
    const form = new URLSearchParams({ token, digest }).toString();
    const { status } = await this.#call('POST', PROOF, form);
    if (status !== 200) throw new Error(`An applicant could not prove their address: ${status}.`);
  }

  /** Null if they have not applied. */
  async admit({ person, decision }: Of<'admit'>): Promise<Answer | null> {
    const id = this.#applications.get(person);
    if (id === undefined) return null;
    const { projectId, key } = this.#project;
    const path = `/v1/partner-applications/${id}/${decision}`;
    const answer = await this.#caller.call({ method: 'POST', path, key, body: { projectId } });
    if (answer.status === 200 && decision === 'approve') await this.#meet(person, answer.body.data);
    return answer;
  }

  /** Whoever comes back has the code that they had, unless they were erased: then nothing shows it any more. */
  async #meet(person: number, { participantId, programId }: Wire): Promise<void> {
    if (this.letIn.has(person)) return;
    const { data } = await this.#reader.read(`/v1/participants/${participantId}`);
    const { partnerId } = data.participant;
    const [code] = data.refCodes;
    const [link] = data.links;
    if (!partnerId || !code || !link) throw new Error(`A partner was let in without a code.`);
    this.#reader.partners.set(person, participantId);
    this.letIn.set(person, { partnerId, participantId, programId, code, link });
  }

  /**
   * Null if they are no partner. The first answer does not say whether their Project knows of it yet: after the second, it
   * does.
   */
  async change({ kind, person }: Of<'suspend' | 'reinstate'>): Promise<Answer | null> {
    const partner = this.letIn.get(person);
    if (!partner) return null;
    const act = () => this.#call('POST', `/v1/partners/${partner.partnerId}/${kind}`, {});
    const first = await act();
    if (first.status !== 200) return first;
    const again = await act();
    if (JSON.stringify(again.body) !== JSON.stringify(first.body))
      throw new Error(`A repeat of ${kind} was answered by ${JSON.stringify(again.body)}.`);
    return again;
  }

  /** All of the Workspace. */
  async partners(): Promise<Wire[]> {
    const path = `/v1/partners?workspaceId=${this.#project.workspaceId}&limit=100`;
    return (await operate(this.#caller, 'GET', path)).data;
  }

  applications(): Promise<Wire[]> {
    return this.#reader.list('/v1/partner-applications?limit=100');
  }

  /** A call that is given up may be processed later, and nothing keeps it from being done once more. */
  #call(method: Call['method'], path: string, body?: object | string): Promise<Answer> {
    const isForm = typeof body === 'string';
    return this.#caller.callPatiently({
      method,
      path,
      ...(path.startsWith('/v1/partners/') ? { bearer: ADMIN_TOKEN } : {}),
      ...(isForm ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}),
      ...(body === undefined ? {} : { body }),
    });
  }
}
