import type { Answer, Call } from '../process/service-process.ts';
import type { Caller } from './caller.ts';
import type { Operation } from './operations.ts';

/** What a browser without a handle sends: it is none. */
const NO_HANDLE = 'no handle at all';

/** The visit of a landing page that was recorded. */
export interface Visited {
  readonly handle: string;
  /** The code or slug that it came by. */
  readonly name: string;
  readonly at: string;
}

/** A handle of a Project whose policies last no longer expires so long after its last visit. */
const HANDLE_MS = 90 * 86_400_000;

/** People's browsers, which follow links and keep the handle that they were given. One acts after the other. */
export class Browsers {
  readonly #projectKey: string;
  readonly #caller: Caller;
  readonly #handles = new Map<number, string>();
  /** What was sent with somebody's signup: a repeat sends the same. */
  readonly #sent = new Map<number, string>();
  /** By operation. */
  readonly visits = new Map<number, Visited>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(projectKey: string, caller: Caller) {
    this.#projectKey = projectKey;
    this.#caller = caller;
  }

  /** So it is certain in which order a person's browsers saw what. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  handleOf(browser: number): string {
    return this.#handles.get(browser) ?? NO_HANDLE;
  }

  /** The handle that a person's signup is sent with. */
  sentBy(person: number, browser: number): string {
    const sent = this.#sent.get(person) ?? this.handleOf(browser);
    this.#sent.set(person, sent);
    return sent;
  }

  async visit(
    { id, browser, isFollowed }: Operation & { kind: 'click' },
    name: string,
  ): Promise<Answer> {
    const click = isFollowed ? await this.#follow(name) : null;
    const handle = this.#handles.get(browser);
    const answer = await this.#call('POST', '/v1/clicks', {
      projectKey: this.#projectKey,
      ref: name,
      ...(click === null ? {} : { click }),
      ...(handle === undefined ? {} : { handle }),
    });
    const { handle: given, expiresAt } = answer.body;
    // A visit that recorded nothing may repeat one that did, and whose answer was lost: the browser forgets its handle.
    if (given === null) this.#handles.delete(browser);
    if (typeof given === 'string') {
      this.#handles.set(browser, given);
      const at = new Date(Date.parse(expiresAt) - HANDLE_MS).toISOString();
      this.visits.set(id, { handle: given, name, at });
    }
    return answer;
  }

  /** The token that the landing page was opened with; null if the link does not count. */
  async #follow(name: string): Promise<string | null> {
    const { location } = await this.#call('GET', `/l/${this.#projectKey}/${name}`);
    return location === null ? null : new URL(location).searchParams.get('service_click');
  }

  #call(method: Call['method'], path: string, body?: object): Promise<Answer> {
    return this.#caller.call({ method, path, ...(body ? { body } : {}) });
  }
}
