import type { PGlite } from '@electric-sql/pglite';
import { askPrepare, askRun, askScript } from '../../../src/platform/db/embedded/wire.ts';

/** A statement that a world runs, as another world would first run it. */
export interface UsedStatement {
  readonly text: string;
  /** The script that opens the transaction in which it runs: it has the settings for its plan. Null: it runs alone. */
  readonly opening: string | null;
}

interface Planned {
  readonly name: string;
  /** The response to a request for a description of its rows. */
  readonly description: Buffer;
}

/** What the messages of PostgreSQL's protocol begin with. */
const [PARSE, DESCRIBE, BIND, CLOSE, QUERY] = ['P', 'D', 'B', 'C', 'Q'].map(code);
const [PARAMETERS, COLUMNS, ERROR] = ['t', 'T', 'E'].map(code);
const HEADER_BYTES = 5;
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1');

/** Others, such as those about cursors, mean something in their world only. */
const HAS_PLAN = /^[\s(]*(select|insert|update|delete|with)\b/;

/**
 * Statements that the engine has parsed and planned before a world begins, as part of its image. To plan what a small
 * world runs takes as long as to run it. The service's driver prepares its statements as always, and does not notice.
 */
export class PlannedStatements {
  readonly #planned = new Map<string, Planned>();
  #tried = 0;

  /** Those that cannot be planned by themselves are planned in each world. */
  async plan(engine: PGlite, used: readonly UsedStatement[]): Promise<void> {
    for (const { text, opening } of used) {
      if (this.#planned.has(text) || !HAS_PLAN.test(text)) continue;
      // A name stays in use, also if its statement cannot be planned.
      const name = `planned${this.#tried++}`;
      if (opening !== null) await ask(engine, askScript(opening));
      const description = await plan(engine, name, text);
      if (description) this.#planned.set(text, { name, description });
      if (opening !== null) await ask(engine, askScript('rollback'));
    }
  }

  /** For one world, whose driver gives names of its own. */
  forWorld(): WorldStatements {
    return new WorldStatements(this.#planned);
  }
}

export class WorldStatements {
  readonly #planned: ReadonlyMap<string, Planned>;
  /** By the name that the driver of this world gave. */
  readonly #known = new Map<string, Planned>();

  constructor(planned: ReadonlyMap<string, Planned>) {
    this.#planned = planned;
  }

  /** The request as the engine can serve it, and the response to the rest of it, if any. */
  translate(request: Uint8Array): { readonly request: Buffer; readonly response: Buffer | null } {
    const kept: Buffer[] = [];
    let response: Buffer | null = null;
    for (const { kind, bytes } of readMessages(request)) {
      const planned = this.#find(kind, bytes);
      if (!planned) kept.push(bytes);
      else if (kind === DESCRIBE) response = planned.description;
      else if (kind === BIND) kept.push(...renameBound(bytes, planned.name));
    }
    return { request: Buffer.concat(kept), response };
  }

  /** The planned statement that a message is about. */
  #find(kind: number, bytes: Buffer): Planned | undefined {
    if (kind === PARSE) {
      const [name, at] = readText(bytes, HEADER_BYTES);
      const planned = this.#planned.get(readText(bytes, at)[0]);
      if (planned) this.#known.set(name, planned);
      return planned;
    }
    // An unnamed portal comes before the name, or the kind of what is named.
    if (kind !== DESCRIBE && kind !== BIND && kind !== CLOSE) return undefined;
    const [name] = readText(bytes, HEADER_BYTES + 1);
    const planned = this.#known.get(name);
    if (kind === CLOSE) this.#known.delete(name);
    return planned;
  }
}

/** Notes which statements run, and in which transactions. */
export class StatementLog {
  readonly used: UsedStatement[] = [];
  #opening: string | null = null;

  note(request: Uint8Array): void {
    for (const { kind, bytes } of readMessages(request)) {
      if (kind === PARSE) {
        const [, at] = readText(bytes, HEADER_BYTES);
        this.used.push({ text: readText(bytes, at)[0], opening: this.#opening });
      }
      if (kind !== QUERY) continue;
      const [script] = readText(bytes, HEADER_BYTES);
      if (script.startsWith('begin')) this.#opening = script;
      if (script === 'commit' || script === 'rollback') this.#opening = null;
    }
  }
}

/** Returns the description of its rows; null if it cannot be planned. */
async function plan(engine: PGlite, name: string, text: string): Promise<Buffer | null> {
  const prepared = await ask(engine, Buffer.concat([askPrepare(name, text), SYNC]));
  const parameters = prepared.find(({ kind }) => kind === PARAMETERS);
  const count = parameters?.bytes.readInt16BE(HEADER_BYTES) ?? 0;
  // It is planned when it is given values, whatever they are. It is not run.
  const [bind] = readMessages(
    askRun(
      name,
      Array.from({ length: count }, () => null),
    ),
  );
  const bound = bind ? await ask(engine, Buffer.concat([bind.bytes, SYNC])) : [];
  if ([...prepared, ...bound].some(({ kind }) => kind === ERROR)) return null;
  return prepared.find(({ kind }) => kind === COLUMNS)?.bytes ?? Buffer.alloc(0);
}

async function ask(engine: PGlite, message: Uint8Array): Promise<Message[]> {
  const parts: Buffer[] = [];
  await engine.execProtocolRawStream(message, {
    // The engine reuses its memory after this call.
    onRawData: (part) => parts.push(Buffer.from(part)),
    syncToFs: false,
  });
  return readMessages(Buffer.concat(parts));
}

interface Message {
  readonly kind: number;
  readonly bytes: Buffer;
}

function readMessages({ buffer, byteOffset, byteLength }: Uint8Array): Message[] {
  const all = Buffer.from(buffer, byteOffset, byteLength);
  const messages: Message[] = [];
  for (let at = 0; at < byteLength; ) {
    const end = at + 1 + all.readInt32BE(at + 1);
    messages.push({ kind: all[at] as number, bytes: all.subarray(at, end) });
    at = end;
  }
  return messages;
}

/** A text that ends with a zero byte, and what comes behind that. */
function readText(bytes: Buffer, from: number): [string, number] {
  const end = bytes.indexOf(0, from);
  return [bytes.toString('utf8', from, end), end + 1];
}

/** Values for a statement, given to another one. */
function renameBound(bytes: Buffer, name: string): Buffer[] {
  const rest = bytes.subarray(bytes.indexOf(0, HEADER_BYTES + 1));
  const begin = Buffer.alloc(HEADER_BYTES + 1 + name.length);
  begin.write('B', 'latin1');
  begin.writeInt32BE(begin.length + rest.length - 1, 1);
  begin.write(name, HEADER_BYTES + 1, 'latin1');
  return [begin, rest];
}

function code(letter: string): number {
  return letter.charCodeAt(0);
}
