import { expect, test } from 'vitest';
import { judgeIdentity } from './judge-identity.ts';

const embedded = (generation: number | null) => ({ place: null, generation });
const server = (place: string) => ({ place, generation: 3 });

test.each([
  ['a store that was never marked', undefined, embedded(null), 'new'],
  ['the embedded store that the folder knows', embedded(4), embedded(4), 'same'],
  ['an embedded store whose file was not written in time', embedded(5), embedded(4), 'same'],
  ['an embedded store that is older than its folder remembers', embedded(3), embedded(4), 'moved'],
  ['an embedded store in a folder that never saw it', embedded(3), embedded(null), 'moved'],
  ['the same database on the same server', server('1/1/5'), server('1/1/5'), 'same'],
  ['a database that was restored by its name', server('1/1/5'), server('1/1/9'), 'moved'],
  ['a server that was recovered to a point in time', server('1/1/5'), server('1/2/5'), 'moved'],
  ['an embedded store that became one on PostgreSQL', embedded(2), server('1/1/5'), 'moved'],
] as const)('%s: %#', (_, known, seen, expected) => {
  expect(judgeIdentity(known, seen)).toBe(expected);
});
