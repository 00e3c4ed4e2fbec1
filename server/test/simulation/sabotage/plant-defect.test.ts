import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorlds } from '../runner/kept-worlds.ts';
import { DEFECTS } from './defects.ts';
import { nameOracle } from './name-oracle.ts';
import { editSource } from './plant-defect.ts';

const SOURCES = join(import.meta.dirname, '../../../src');
const WORLDS = join(import.meta.dirname, '../worlds');
const names = DEFECTS.map(({ name }) => name);

describe('planted defects', () => {
  it('change the service: each text is there exactly once', () => {
    for (const { edits } of DEFECTS) {
      for (const edit of edits) {
        const source = readFileSync(join(SOURCES, edit.file), 'utf8');
        expect(editSource(source, [edit])).not.toBe(source);
      }
    }
  });

  it('have names of their own', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('are what kept worlds are known to find', () => {
    const visible = DEFECTS.filter(({ hidden }) => hidden === undefined).map(({ name }) => name);
    const kept = readWorlds(WORLDS);
    expect(kept.length).toBeGreaterThan(0);
    expect(visible).toEqual(expect.arrayContaining(kept.flatMap(({ finds }) => finds)));
  });
});

describe('an edit', () => {
  const edit = { file: 'a.ts', from: 'b', to: '$&' };

  it('replaces its text as it is written', () => {
    expect(editSource('abc', [edit])).toBe('a$&c');
  });

  it.each(['ac', 'abcb'])('fails if its text is not there once: %s', (source) => {
    expect(() => editSource(source, [edit])).toThrow('a.ts has this text');
  });
});

describe('the oracle of a finding', () => {
  it.each([
    ['verify: {"what":"feed"}', 'verify'],
    ['ref_codes still names somebody erased: (p1)', 'erasure'],
    ['https://hook0.example.com/ was not sent 2 of 9, such as wev_1', 'feed and receivers'],
    ['POST /v1/track/events answered 500', 'answers'],
    ['it broke: Error: stuck', 'run'],
    [
      'it broke: Error: nobody should have it\n    at Model.accept (simulation/model/contract.ts:1:1)',
      'contract',
    ],
    ['the status of signup p1 g0r1 is pending, and must be cancelled', 'contract'],
  ])('%s', (finding, oracle) => {
    expect(nameOracle(finding)).toBe(oracle);
  });
});
