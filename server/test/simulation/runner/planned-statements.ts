import type { PGlite } from '@electric-sql/pglite';

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

/** Others, such as those about cursors, are the same for every engine and mean something in their world only. */
const HAS_PLAN = /^[\s(]*(select|insert|update|delete|with)\b/;

type Send = (message: Uint8Array) => Promise<Buffer>;

const [PARSE, DESCRIBE, BIND, CLOSE, QUERY] = ['P', 'D', 'B', 'C', 'Q'];
const [PARAMETERS, COLUMNS, ERROR] = ['t', 'T', 'E'];
const HEADER_BYTES = 5;
const SYNC = toMessage('S', Buffer.alloc(0));

/**
 * Statements that the engine has parsed and planned before a world begins, as part of its image. To plan what a small
 * world runs takes as long as to run it. The service's driver prepares its statements as always, and does not notice.
 */
export class PlannedStatements {
  readonly #planned = new Map<string, Planned>();

  /** Those that cannot be planned by themselves are planned in each world. */
  async plan(engine: PGlite, used: readonly UsedStatement[]): Promise<void> {
    const send: Send = (message) => ask(engine, message);
    for (const { text, opening } of used) {
      if (this.#planned.has(text) || !HAS_PLAN.test(text)) continue;
      const name = `planned${this.#planned.size}`;
      if (opening !== null) await send(toMessage(QUERY, `${opening}\0`));
      const description = await plan(send, name, text);
      if (description) this.#planned.set(text, { name, description });
      if (opening !== null) await send(toMessage(QUERY, 'rollback\0'));
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

  /** The request as the engine can serve it, and what is the response to the rest of it. */
  translate(request: Uint8Array): { readonly request: Uint8Array; readonly response: Buffer } {
    const kept: Buffer[] = [];
    const response: Buffer[] = [];
    for (const message of readMessages(Buffer.from(request))) {
      const names = message.body.toString('utf8').split('\0', 2) as [string, string];
      switch (message.kind) {
        case PARSE: {
          const [name, text] = names;
          const planned = this.#planned.get(text);
          if (planned) this.#known.set(name, planned);
          else kept.push(message.bytes);
          break;
        }
        case DESCRIBE: {
          const planned = this.#known.get(names[0].slice(1));
          if (planned) response.push(planned.description);
          else kept.push(message.bytes);
          break;
        }
        case CLOSE:
          if (!this.#known.delete(names[0].slice(1))) kept.push(message.bytes);
          break;
        case BIND: {
          const [portal, name] = names;
          const planned = this.#known.get(name);
          const rest = message.body.subarray(portal.length + 1 + name.length);
          const renamed = () => [Buffer.from(`${portal}\0${planned?.name}`), rest];
          kept.push(planned ? toMessage(BIND, Buffer.concat(renamed())) : message.bytes);
          break;
        }
        default:
          kept.push(message.bytes);
      }
    }
    return { request: Buffer.concat(kept), response: Buffer.concat(response) };
  }
}

/** Notes which statements run, and in which transactions. */
export class StatementLog {
  readonly used: UsedStatement[] = [];
  #opening: string | null = null;

  note(request: Uint8Array): void {
    for (const { kind, body } of readMessages(Buffer.from(request))) {
      if (kind === PARSE) {
        const [, text = ''] = body.toString('utf8').split('\0', 2);
        this.used.push({ text, opening: this.#opening });
      }
      if (kind !== QUERY) continue;
      const script = body.toString('utf8', 0, body.length - 1);
      if (script.startsWith('begin')) this.#opening = script;
      if (script === 'commit' || script === 'rollback') this.#opening = null;
    }
  }
}

/** The description of its rows; null if it cannot be planned. */
async function plan(send: Send, name: string, text: string): Promise<Buffer | null> {
  const prepared = await send(
    Buffer.concat([
      toMessage(PARSE, `${name}\0${text}\0\0\0`),
      toMessage(DESCRIBE, `S${name}\0`),
      SYNC,
    ]),
  );
  const messages = readMessages(prepared);
  const count = messages.find(({ kind }) => kind === PARAMETERS)?.body.readInt16BE(0) ?? 0;
  // It is planned when it gets values, whatever they are.
  const bound = await send(Buffer.concat([toMessage(BIND, toNulls(name, count)), SYNC]));
  const isPlanned = [...messages, ...readMessages(bound)].every(({ kind }) => kind !== ERROR);
  if (!isPlanned) return null;
  return messages.find(({ kind }) => kind === COLUMNS)?.bytes ?? Buffer.alloc(0);
}

function toNulls(name: string, count: number): Buffer {
  const body = Buffer.alloc(name.length + 8 + 4 * count);
  let at = 1 + body.write(name, 1) + 1;
  at = body.writeInt16BE(0, at);
  at = body.writeInt16BE(count, at);
  for (let left = count; left > 0; left -= 1) at = body.writeInt32BE(-1, at);
  return body;
}

async function ask(engine: PGlite, message: Uint8Array): Promise<Buffer> {
  const parts: Buffer[] = [];
  await engine.execProtocolRawStream(message, {
    // The engine reuses its memory after this call.
    onRawData: (part) => parts.push(Buffer.from(part)),
    syncToFs: false,
  });
  return Buffer.concat(parts);
}

interface Message {
  readonly kind: string;
  readonly bytes: Buffer;
  readonly body: Buffer;
}

function readMessages(bytes: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    messages.push({
      kind: String.fromCharCode(bytes[at] as number),
      bytes: bytes.subarray(at, end),
      body: bytes.subarray(at + HEADER_BYTES, end),
    });
    at = end;
  }
  return messages;
}

function toMessage(kind: string, body: string | Buffer): Buffer {
  const content = Buffer.from(body as string);
  const message = Buffer.alloc(HEADER_BYTES + content.length);
  message.write(kind, 'latin1');
  message.writeInt32BE(4 + content.length, 1);
  content.copy(message, HEADER_BYTES);
  return message;
}
