/**
 * The part of PostgreSQL's protocol that the embedded engine needs: a request as one buffer, and a
 * response as columns, rows and an error. The engine's package has a general implementation, which
 * takes longer than the engine itself for most statements.
 */

/** Converts the text of a value to a JavaScript value, by the type's OID. */
export type ReadValue = (text: string) => unknown;
export type FindReader = (typeOid: number) => ReadValue | undefined;

export interface Column {
  readonly name: string;
  /** Undefined returns the text unchanged. */
  readonly read: ReadValue | undefined;
}

export interface Answer<R> {
  readonly rows: R[];
  /** Undefined unless a description was requested. */
  readonly columns: readonly Column[] | undefined;
  /** The tag of the last completed command, such as `COMMIT`. */
  readonly command: string | undefined;
  /** The complete message of an error. */
  readonly error: Buffer | undefined;
}

const HEADER_BYTES = 5;
const [PARSE, DESCRIBE, CLOSE, QUERY] = ['P', 'D', 'C', 'Q'];
const BIND = code('B');
const [ROW, COLUMNS, COMPLETE, ERROR] = [code('D'), code('T'), code('C'), code('E')] as const;

/** `execute` without a name or a limit of rows, and `sync`. */
const RUN = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1');
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1');

/** Prepares a statement and requests a description of its rows. */
export function askPrepare(name: string, text: string): Buffer {
  return Buffer.concat([message(PARSE, `${name}\0${text}\0\0\0`), message(DESCRIBE, `S${name}\0`)]);
}

export function askClose(name: string): Buffer {
  return Buffer.concat([message(CLOSE, `S${name}\0`), SYNC]);
}

/** Several statements in one text. */
export function askScript(text: string): Buffer {
  return message(QUERY, `${text}\0`);
}

/** Runs a prepared statement with its values, all as text. */
export function askRun(name: string, values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  let size = HEADER_BYTES + 1 + name.length + 1 + 2 + 2 + 2;
  for (const length of lengths) size += 4 + Math.max(length, 0);
  const buffer = Buffer.allocUnsafe(size + RUN.length);
  let at = buffer.writeUInt8(BIND);
  at = buffer.writeInt32BE(size - 1, at);
  at = buffer.writeUInt8(0, at);
  at += buffer.write(name, at, 'latin1');
  at = buffer.writeUInt8(0, at);
  // No formats are given: every value is sent and received as text.
  at = buffer.writeInt16BE(0, at);
  at = buffer.writeInt16BE(values.length, at);
  for (const [index, value] of values.entries()) {
    at = buffer.writeInt32BE(lengths[index] as number, at);
    if (value !== null) at += buffer.write(value, at);
  }
  at = buffer.writeInt16BE(0, at);
  RUN.copy(buffer, at);
  return buffer;
}

/** Reads all messages of a response. `known` are the columns of a prepared statement. */
export function readAnswer<R>(
  bytes: Buffer,
  findReader: FindReader,
  known?: readonly Column[],
): Answer<R> {
  const rows: R[] = [];
  let columns: readonly Column[] | undefined;
  let command: string | undefined;
  let error: Buffer | undefined;
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at];
    const end = at + 1 + bytes.readInt32BE(at + 1);
    const body = at + HEADER_BYTES;
    if (kind === ROW) rows.push(readRow(bytes, body, columns ?? known ?? []) as R);
    else if (kind === COLUMNS) columns = readColumns(bytes, body, findReader);
    else if (kind === COMPLETE) command = bytes.toString('latin1', body, end - 1).split(' ', 1)[0];
    else if (kind === ERROR) error ??= bytes.subarray(at, end);
    at = end;
  }
  return { rows, columns, command, error };
}

function readRow(bytes: Buffer, start: number, columns: readonly Column[]): object {
  const row: Record<string, unknown> = {};
  let at = start + 2;
  for (const { name, read } of columns) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row[name] = null;
      continue;
    }
    const text = bytes.toString('utf8', at, at + length);
    row[name] = read ? read(text) : text;
    at += length;
  }
  return row;
}

/** A column: its name, then table (4 bytes), number (2), type (4), size (2), modifier (4), format (2). */
function readColumns(bytes: Buffer, start: number, findReader: FindReader): Column[] {
  const columns: Column[] = [];
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const nameEnd = bytes.indexOf(0, at);
    const name = bytes.toString('utf8', at, nameEnd);
    columns.push({ name, read: findReader(bytes.readInt32BE(nameEnd + 7)) });
    at = nameEnd + 19;
  }
  return columns;
}

function message(kind: string, body: string): Buffer {
  const length = Buffer.byteLength(body);
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + length);
  buffer.write(kind, 'latin1');
  buffer.writeInt32BE(4 + length, 1);
  buffer.write(body, HEADER_BYTES);
  return buffer;
}

function code(letter: string): number {
  return letter.charCodeAt(0);
}
