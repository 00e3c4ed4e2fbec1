import { Client, errors } from 'undici';

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  /** When it was opened; 0 before. */
  openedMs: number;
}

/**
 * Keeps connections open, each for one request at a time. undici's own pool looks through all
 * connections of an origin for a free one, twice for each request. Here the one that was used last
 * is next, and those that are not needed time out.
 */
export class Connections {
  readonly #options: Client.Options;
  readonly #maxAgeMs: number;
  readonly #all = new Set<Connection>();
  /** By origin, the one used last at the end. */
  readonly #idle = new Map<string, Connection[]>();
  #isClosed = false;

  constructor(options: Client.Options, maxAgeMs: number) {
    this.#options = options;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Fails once they are closed. */
  take(origin: string): Connection {
    if (this.#isClosed) throw new errors.ClientDestroyedError();
    const idle = this.#idle.get(origin);
    for (let last = idle?.pop(); last; last = idle?.pop()) {
      if (performance.now() - last.openedMs <= this.#maxAgeMs) return last;
      this.drop(last);
    }
    return this.#open(origin);
  }

  /** After a complete response. */
  giveBack(connection: Connection): void {
    if (!this.#all.has(connection)) return;
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
  }

  /** Closes one, even during a request. */
  drop(connection: Connection): void {
    this.#forget(connection);
    void connection.client.destroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#all, ({ client }) => client.destroy()));
  }

  #open(origin: string): Connection {
    const connection = { origin, client: new Client(origin, this.#options), openedMs: 0 };
    this.#all.add(connection);
    connection.client.on('connect', () => {
      connection.openedMs = performance.now();
    });
    // One that breaks during a request is dropped by its user.
    connection.client.on('disconnect', () => {
      if (this.#idle.get(origin)?.includes(connection)) this.drop(connection);
    });
    return connection;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const idle = this.#idle.get(connection.origin);
    const at = idle?.indexOf(connection) ?? -1;
    if (at >= 0) idle?.splice(at, 1);
    if (idle?.length === 0) this.#idle.delete(connection.origin);
  }
}
