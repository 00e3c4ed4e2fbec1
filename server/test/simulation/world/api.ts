import type { TestProject } from '../../new-project.ts';
import type { Answer, Call } from '../process/service-process.ts';
import type { Caller } from './caller.ts';

/** Calls of the company's backend, with its key. */
export class Api {
  readonly project: TestProject;
  readonly #caller: Caller;

  constructor(project: TestProject, caller: Caller) {
    this.project = project;
    this.#caller = caller;
  }

  post(path: string, body: object): Promise<Answer> {
    return this.send('POST', path, body);
  }

  /** For a call that would do something again if it was repeated. */
  postOnce(path: string, body: object, operation: number): Promise<Answer> {
    return this.send('POST', path, body, `operation-${operation}`);
  }

  send(
    method: Call['method'],
    path: string,
    body: object,
    idempotencyKey?: string,
  ): Promise<Answer> {
    const { projectId, key } = this.project;
    return this.#caller.call({ method, path, key, body: { projectId, ...body }, idempotencyKey });
  }

  erase(participantId: string, isForced: boolean): Promise<Answer> {
    const { projectId, key } = this.project;
    const path = `/v1/participants/${participantId}?projectId=${projectId}&force=${isForced}`;
    return this.#caller.call({ method: 'DELETE', path, key });
  }

  /** The body of an answer that nothing may keep from coming. */
  async ok(method: Call['method'], path: string, body: object) {
    const answer = await this.send(method, path, body);
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
