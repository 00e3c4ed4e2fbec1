import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventStreamParser, type StreamMessage } from './event-stream.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => new EventStreamParser().push(encode(text));

/** The same bytes, cut anywhere, even within a character or between CR and LF. */
function readInPieces(text: string, cuts: readonly number[]): StreamMessage[] {
  const bytes = encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  places.sort((a, b) => a - b);
  const parser = new EventStreamParser();
  return places.flatMap((end, index) =>
    index === 0 ? [] : parser.push(bytes.subarray(places[index - 1], end)),
  );
}

describe('a stream of server-sent events', () => {
  test('gives the same messages, however the network cuts it', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '✓', '🎁', ':', ' ', '{') });
    const message = fc.record({ id: fc.stringMatching(/^[a-z]{1,4}$/), data: line });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(), { maxLength: 8 }),
        (messages, end, cuts) => {
          const text = messages
            .map(({ id, data }) => [`data: ${data}`, 'event: x', `id: ${id}`, '', ''].join(end))
            .join(`:${end}${end}`);
          // A CR at the very end may be followed by LF: the next byte decides.
          expect(readInPieces(`${text}:${end}`, cuts)).toEqual(messages);
        },
      ),
    );
  });

  test('leaves out what was cut off', () => {
    expect(read('id: a\ndata: one\n\nid: b\ndata: two\n')).toEqual([{ id: 'a', data: 'one' }]);
  });

  test('joins lines of data, passes over what it does not know, and hears the wait', () => {
    const parser = new EventStreamParser();
    const text = 'retry: 2000\n\n:hello\nfoo: bar\nid\ndata\ndata:x\ndata:  y\n\nretry: soon\n\n';
    expect(parser.push(encode(text))).toEqual([{ id: '', data: '\nx\n y' }]);
    expect(parser.retryMs).toBe(2_000);
  });
});
