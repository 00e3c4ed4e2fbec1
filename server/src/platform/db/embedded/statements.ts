import { type PGlite, protocol, types } from '@electric-sql/pglite';
import {
  type Answer,
  askClose,
  askPrepare,
  askRun,
  askScript,
  type Column,
  type FindReader,
  type ReadValue,
  readAnswer,
} from './wire.ts';

/**
 * The text form of a parameter, by the rules of the `pg` driver, so that a call means the same on
 * both engines: arrays become PostgreSQL array literals, other objects JSON, and strings stay
 * unchanged (JSON must already be stringified).
 */
export function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function toElement(value: unknown): string {
  const text = toParameter(value);
  if (text === null) return 'NULL';
  return Array.isArray(value) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Plans use the engine's memory. The program has fewer statements than this. */
const KEPT_MAX = 1_000;

interface Prepared {
  readonly name: string;
  readonly columns: readonly Column[];
}

/**
 * The prepared statements of one engine. Each text is parsed once and rarely planned, and running
 * it takes one message. PGlite's own `query` parses and plans each time, and sends six. The caller
 * must own the engine's session.
 */
export class Statements {
  readonly #pg: PGlite;
  readonly #findReader: FindReader;
  /** By text, least recently used first. */
  readonly #prepared = new Map<string, Prepared>();
  readonly #keptMax: number;
  #count = 0;

  constructor(pg: PGlite, keptMax = KEPT_MAX) {
    this.#pg = pg;
    this.#keptMax = keptMax;
    const all: Record<number, ReadValue | undefined> = { ...types.parsers, ...pg.parsers };
    this.#findReader = (oid) => all[oid];
  }

  async run<R>(text: string, params: readonly unknown[]): Promise<R[]> {
    const values = params.map(toParameter);
    const prepared = this.#prepared.get(text);
    if (!prepared) return await this.#runFirst<R>(text, values);
    this.#prepared.delete(text);
    this.#prepared.set(text, prepared);
    const { rows } = await this.#ask<R>(askRun(prepared.name, values), prepared.columns);
    return rows;
  }

  /** Runs several statements in one text; resolves with the tag of the last. */
  async script(text: string): Promise<string | undefined> {
    const { command } = await this.#ask(askScript(text));
    return command;
  }

  async #runFirst<R>(text: string, values: (string | null)[]): Promise<R[]> {
    this.#count += 1;
    const name = `s${this.#count}`;
    const { rows, columns = [] } = await this.#ask<R>(
      Buffer.concat([askPrepare(name, text), askRun(name, values)]),
    ).catch(async (error) => {
      // It may have been prepared before it failed.
      await this.#ask(askClose(name));
      throw error;
    });
    this.#prepared.set(text, { name, columns });
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size > this.#keptMax) {
      this.#prepared.delete(oldest[0]);
      await this.#ask(askClose(oldest[1].name));
    }
    return rows;
  }

  async #ask<R>(message: Buffer, columns?: readonly Column[]): Promise<Answer<R>> {
    const parts: Buffer[] = [];
    await this.#pg.execProtocolRawStream(message, {
      // The engine reuses its memory after this call.
      onRawData: (part) => parts.push(Buffer.from(part)),
      // No layer delays writes: a commit is on disk when its response arrives.
      syncToFs: false,
    });
    const [only, ...more] = parts;
    const bytes = only && more.length === 0 ? only : Buffer.concat(parts);
    const answer = readAnswer<R>(bytes, this.#findReader, columns);
    if (answer.error) throw toError(answer.error);
    return answer;
  }
}

function toError(message: Buffer): unknown {
  let error: unknown;
  new protocol.Parser().parse(message, (parsed) => {
    error = parsed;
  });
  return error;
}
