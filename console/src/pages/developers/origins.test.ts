import { describe, expect, test } from 'vitest';
import { problemOfOrigin, readOrigins } from './origins.ts';

describe('allowed origins', () => {
  test('are one a line, each once, without a slash at the end', () => {
    expect(readOrigins(' https://a.example/\n\nhttps://b.example, https://a.example ')).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
  });

  test.each(['https://www.example.com', 'http://localhost:3000', 'https://example.com:8443'])(
    '%s is one',
    (origin) => {
      expect(problemOfOrigin(origin)).toBeNull();
    },
  );

  test.each([
    ['www.example.com', 'not a valid address'],
    ['ftp://example.com', 'https://'],
    ['https://example.com/shop', 'https://example.com'],
    ['https://example.com?x=1', 'more than an origin'],
    ['*', 'not a valid address'],
  ])('%s is none, and it is said why', (origin, word) => {
    expect(problemOfOrigin(origin)).toContain(word);
  });
});
