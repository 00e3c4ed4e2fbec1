import { expect, test } from 'vitest';
import { readScalar, type Scalar, writeScalar } from './scalar-text.ts';

test.each<[string, Scalar]>([
  ['annual', 'annual'],
  [' annual ', 'annual'],
  ['12', 12],
  ['-1.5', -1.5],
  ['"12"', '12'],
  ['012', '012'],
  ['1e400', '1e400'],
  ['true', true],
  ['"false"', 'false'],
  ['True', 'True'],
  ['"open', '"open'],
  ['""', ''],
  ['"a" or "b"', '"a" or "b"'],
])('%s is read as it looks', (typed, value) => {
  expect(readScalar(typed)).toBe(value);
});

test.each<[Scalar]>([
  ['annual'],
  [''],
  ['12'],
  [12],
  [-0.25],
  [1e21],
  [true],
  ['true'],
  [' padded '],
  ['"quoted"'],
  ['"'],
  ['a "word"'],
  ['line\nbreak'],
  ['back\\slash'],
  ['無料'],
])('what is written is read again: %o', (value) => {
  expect(readScalar(writeScalar(value))).toBe(value);
});
