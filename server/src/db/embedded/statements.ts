import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import { toParameter } from './parameters.ts';

const { serialize } = protocol;
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

/** Plans take memory of the engine. The program has fewer statements than this. */
const KEPT_MAX = 1_000;

interface Prepared {
  readonly name: string;
  /** What its rows look like. */
  readonly shape: readonly Message[];
}

/**
 * The prepared statements of one engine. Each text is parsed once and planned seldom, and running it is
 * one message. PGlite's own `query` parses and plans each time, and sends six. Whoever calls has the
 * engine's turn.
 */
export class Statements {
  readonly #pg: PGlite;
  /** By text, the longest unused first. */
  readonly #prepared = new Map<string, Prepared>();
  readonly #keptMax: number;
  #count = 0;

  constructor(pg: PGlite, keptMax = KEPT_MAX) {
    this.#pg = pg;
    this.#keptMax = keptMax;
  }

  async run<R>(text: string, params: readonly unknown[]): Promise<R[]> {
    const values = params.map(toParameter);
    const prepared = this.#prepared.get(text);
    if (!prepared) return await this.#runFirst<R>(text, values);
    this.#prepared.delete(text);
    this.#prepared.set(text, prepared);
    const messages = await this.#send(execute(prepared.name, values));
    return this.#readRows<R>([...prepared.shape, ...messages]);
  }

  async #runFirst<R>(text: string, values: (string | null)[]): Promise<R[]> {
    this.#count += 1;
    const name = `s${this.#count}`;
    const messages = await this.#send([
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      ...execute(name, values),
    ]).catch(async (error) => {
      // It may have been prepared before it failed.
      await this.#close(name);
      throw error;
    });
    const shape = messages.filter((message) => message.name === 'rowDescription');
    this.#prepared.set(text, { name, shape });
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size > this.#keptMax) {
      this.#prepared.delete(oldest[0]);
      await this.#close(oldest[1].name);
    }
    return this.#readRows<R>(messages);
  }

  #close(name: string): Promise<Message[]> {
    return this.#send([serialize.close({ type: 'S', name }), serialize.sync()]);
  }

  #send(messages: readonly Uint8Array[]): Promise<Message[]> {
    return this.#pg.execProtocolStream(Buffer.concat(messages));
  }

  #readRows<R>(messages: Message[]): R[] {
    return parse.parseResults(messages, this.#pg.parsers)[0]?.rows as R[];
  }
}

function execute(statement: string, values: (string | null)[]): Uint8Array[] {
  return [serialize.bind({ statement, values }), serialize.execute({}), serialize.sync()];
}
