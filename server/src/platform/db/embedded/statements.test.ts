import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { toParameter } from './statements.ts';

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue(value: unknown): unknown;
};

const scalar = fc.oneof(
  anyText(),
  fc.constantFrom('', 'NULL', 'null', '"', '\\', '{', ',', ' a ', '{"a":"b\\\\"}'),
  fc.bigInt(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);

describe('toParameter', () => {
  it('writes every value the way the pg driver does', () => {
    fc.assert(
      fc.property(fc.oneof(scalar, fc.array(scalar), fc.array(fc.array(scalar))), (value) => {
        expect(toParameter(value)).toBe(prepareValue(value));
      }),
    );
  });

  it('writes an object as JSON', () => {
    expect(toParameter({ a: ['b'] })).toBe(prepareValue({ a: ['b'] }));
  });

  it('writes dates as ISO text and bytes as hex', () => {
    expect(toParameter(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(toParameter(new Uint8Array([0, 255]))).toBe('\\x00ff');
  });
});
