import { protocol } from '@electric-sql/pglite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { askClose, askPrepare, askRun, askScript, readAnswer } from './wire.ts';

const { serialize } = protocol;
const bytes = (...parts: Uint8Array[]) => Buffer.concat(parts);
const name = fc.stringMatching(/^s[1-9][0-9]{0,5}$/);
const text = anyText().map((value) => value.replaceAll('\0', ' '));

/** A message as the server sends it. */
function said(kind: string, ...parts: (string | Uint8Array)[]): Buffer {
  const body = bytes(...parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return bytes(Buffer.from(kind), length, body);
}

const lengthAndText = (value: string | null) =>
  value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)];
const int16 = (value: number) => Uint8Array.of(value >> 8, value & 255);
const int32 = (value: number) => bytes(int16(value >> 16), int16(value & 65_535));
const column = (named: string, type: number) =>
  bytes(Buffer.from(`${named}\0`), int32(0), int16(0), int32(type), int16(0), int32(0), int16(0));
const row = (...values: (string | null)[]) =>
  said('D', int16(values.length), ...values.flatMap(lengthAndText));

const INT4 = 23;
const findReader = (type: number) => (type === INT4 ? Number : undefined);

test('what is prepared, closed and run as a script is asked as the engine’s own writer asks it', () => {
  fc.assert(
    fc.property(name, text, (statement, query) => {
      expect(askPrepare(statement, query)).toEqual(
        bytes(
          serialize.parse({ name: statement, text: query }),
          serialize.describe({ type: 'S', name: statement }),
        ),
      );
      expect(askClose(statement)).toEqual(
        bytes(serialize.close({ type: 'S', name: statement }), serialize.sync()),
      );
      expect(askScript(query)).toEqual(bytes(serialize.query(query)));
    }),
  );
});

test('a run carries its statement and every value, and names no formats', () => {
  fc.assert(
    fc.property(name, fc.array(fc.option(text)), (statement, values) => {
      const body = bytes(
        Buffer.from(`\0${statement}\0`),
        int16(0),
        int16(values.length),
        ...values.flatMap(lengthAndText),
        int16(0),
      );
      expect(askRun(statement, values)).toEqual(
        bytes(said('B', body), serialize.execute({}), serialize.sync()),
      );
    }),
  );
});

test('rows are read by the columns that came before them', () => {
  const answer = readAnswer(
    bytes(
      said('T', int16(2), column('n', INT4), column('größe', 25)),
      row('7', 'ü'),
      row(null, ''),
      said('C', 'SELECT 2\0'),
      said('Z', 'I'),
    ),
    findReader,
  );
  expect(answer.rows).toEqual([
    { n: 7, größe: 'ü' },
    { n: null, größe: '' },
  ]);
  expect(answer.columns).toEqual([
    { name: 'n', read: Number },
    { name: 'größe', read: undefined },
  ]);
  expect(answer).toMatchObject({ command: 'SELECT', error: undefined });
});

test('rows of a statement that was described before are read by what is known of it', () => {
  const known = [{ name: 'n', read: Number }];
  const answer = readAnswer(bytes(said('2'), row('1'), row('2')), findReader, known);
  expect(answer).toMatchObject({ rows: [{ n: 1 }, { n: 2 }], columns: undefined });
});

test('an error comes whole, the first of them, and messages in between are skipped', () => {
  const first = said('E', 'SERROR\0C23505\0Mtaken\0\0');
  const answer = readAnswer(
    bytes(said('N', 'SNOTICE\0\0'), first, said('E', 'SERROR\0\0'), said('Z', 'E')),
    findReader,
  );
  expect(answer.error).toEqual(first);
  expect(answer).toMatchObject({ rows: [], command: undefined });
});

test('of several commands the last is named', () => {
  const answer = readAnswer(bytes(said('C', 'BEGIN\0'), said('C', 'ROLLBACK\0')), findReader);
  expect(answer.command).toBe('ROLLBACK');
});
