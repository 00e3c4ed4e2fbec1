import type { TestProject } from '../../new-project.ts';
import type { Caller } from './caller.ts';
import { externalIdOf } from './names.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Wire = any;

/** Reads what the service shows of a Project. */
export class Reader {
  readonly #project: TestProject;
  readonly #caller: Caller;
  /** The participants of partners, who have no external ids, by number. */
  readonly partners = new Map<number, string>();

  constructor(project: TestProject, caller: Caller) {
    this.#project = project;
    this.#caller = caller;
  }

  async read(path: string): Promise<Wire> {
    const { projectId, key } = this.#project;
    const answer = await this.#caller.call({
      method: 'GET',
      path: `${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`,
      key,
    });
    if (answer.status !== 200)
      throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Somebody who was erased has another external id. */
  async findParticipant(number: number): Promise<Wire | null> {
    const id = this.partners.get(number);
    if (id !== undefined) return (await this.read(`/v1/participants/${id}`)).data.participant;
    const list = await this.read(`/v1/participants?externalId=${externalIdOf(number)}`);
    return list.data[0] ?? null;
  }

  /** The enrollment of somebody in a program that has not ended. */
  async findEnrollment(number: number, programId: string): Promise<string | null> {
    const participant = await this.findParticipant(number);
    if (!participant) return null;
    const { data } = await this.read(`/v1/participants/${participant.id}`);
    const isIt = (one: Wire) => one.programId === programId && one.endsAt === null;
    return data.enrollments.find(isIt)?.id ?? null;
  }

  /** What somebody has earned by now. */
  async rewardsOf(number: number): Promise<Wire[]> {
    const id = this.partners.get(number);
    const all = await this.rewards();
    return all.filter(({ beneficiary: { participantId, externalId } }) =>
      id === undefined ? externalId === externalIdOf(number) : participantId === id,
    );
  }

  /** All rewards of the Project. */
  rewards(): Promise<Wire[]> {
    return this.list('/v1/rewards?limit=100');
  }

  /** All pages of a list that goes on by cursors. */
  async list(path: string): Promise<Wire[]> {
    const all: Wire[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Wire = await this.read(`${path}${from}`);
      all.push(...page.data);
      cursor = page.nextCursor;
    }
    return all;
  }

  /** All events of the feed. */
  async feed(): Promise<Wire[]> {
    const all: Wire[] = [];
    for (let after = ''; ; ) {
      const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page: Wire = await this.read(`/v1/webhook-events?limit=500${from}`);
      if (page.events.length === 0) return all;
      all.push(...page.events);
      after = page.next;
    }
  }
}
