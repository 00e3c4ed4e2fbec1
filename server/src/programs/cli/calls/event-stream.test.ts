import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStreamReader } from './event-stream.ts';

const STREAM =
  'retry: 2000\n\nid: a\nevent: x\ndata: {"n":1}\n\n:\n\nid: b\r\ndata: {"n":2}\r\n\r\n:\n\nid: c\ndata: {"n":3}\n\n';

test('a stream gives the same messages in whatever pieces it comes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const read = createStreamReader();
      const ends = [...cuts, STREAM.length].toSorted((one, other) => one - other);
      const messages = ends.flatMap((end, index) => read(STREAM.slice(ends[index - 1] ?? 0, end)));
      expect(messages).toEqual([
        { id: 'a', data: '{"n":1}' },
        { id: 'b', data: '{"n":2}' },
        { id: 'c', data: '{"n":3}' },
      ]);
    }),
  );
});
