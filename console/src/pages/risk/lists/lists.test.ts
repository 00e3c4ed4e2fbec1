import { describe, expect, it } from 'vitest';
import {
  addEntries,
  type Entry,
  LIST_MAX,
  problemOf,
  removeEntry,
  toEntries,
  toLists,
} from './list-entries.ts';
import { readValues } from './read-values.ts';

const entry = (value: string, more: Partial<Entry> = {}): Entry => ({
  effect: 'allowed',
  kind: 'domain',
  value,
  ...more,
});

describe('the entries of the lists', () => {
  const lists = {
    allowed: {
      emailDomains: ['b.example', 'a.example'],
      networks: ['192.0.2.0/24'],
      participants: [{ kind: 'individual' as const, externalId: 'user-9' }],
    },
    watched: {
      emailDomains: [],
      networks: [],
      participants: [{ kind: 'group' as const, externalId: 'team-1' }],
    },
  };

  it('are what is saved, in the order of their values', () => {
    const entries = toEntries(lists);
    expect(entries.map(({ value }) => value)).toEqual([
      '192.0.2.0/24',
      'a.example',
      'b.example',
      'team-1',
      'user-9',
    ]);
    expect(toEntries(toLists(entries))).toEqual(entries);
  });

  it('one that is added to the other list leaves its own', () => {
    const [watched] = addEntries([entry('a.example')], [entry('a.example', { effect: 'watched' })]);
    expect(watched).toEqual(entry('a.example', { effect: 'watched' }));
  });

  it('a person and a group of the same id are two', () => {
    const both = addEntries([entry('x', { kind: 'individual' })], [entry('x', { kind: 'group' })]);
    expect(both).toHaveLength(2);
    expect(removeEntry(both, entry('x', { kind: 'group' }))).toEqual([
      entry('x', { kind: 'individual' }),
    ]);
  });

  it('are at most a thousand of a kind in each list', () => {
    const many = Array.from({ length: LIST_MAX }, (_, index) => entry(`d${index}.example`));
    expect(problemOf(many)).toBeNull();
    expect(problemOf([...many, entry('n', { kind: 'individual' })])).toBeNull();
    expect(problemOf([...many, entry('more.example')])).toContain('1,000');
  });
});

describe('what was pasted', () => {
  it('is one value a line, without repeats and empty lines', () => {
    expect(readValues('a.example\n\n B.example \r\na.example', 'domain')).toEqual({
      values: ['a.example', 'b.example'],
      refused: [],
    });
  });

  it('is the first column of a table, without its title', () => {
    const csv = 'Domain,Note\na.example,"ours, since May"\nb.example,';
    expect(readValues(csv, 'domain').values).toEqual(['a.example', 'b.example']);
    expect(readValues('external_id;name\nuser-1;Ada', 'individual').values).toEqual(['user-1']);
  });

  it('takes the domain of an address or a link, and refuses what has none', () => {
    expect(
      readValues('ada@a.example\nhttps://b.example/x\nlocalhost\n-a.example', 'domain'),
    ).toEqual({ values: ['a.example', 'b.example'], refused: ['localhost', '-a.example'] });
  });

  it('takes addresses and ranges of both kinds, and refuses others', () => {
    const good = ['203.0.113.7', '203.0.113.0/24', '2001:db8::/48', '::1'];
    const bad = [
      '203.0.113.256',
      '203.0.113.0/33',
      '2001:db8::/129',
      '2001:db8::g',
      '1.2.3',
      'a/b/c',
    ];
    expect(readValues([...good, ...bad].join('\n'), 'network')).toEqual({
      values: good,
      refused: bad,
    });
  });
});
