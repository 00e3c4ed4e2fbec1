import { expect, it } from 'vitest';
import { keepOfProject } from './keep-of-project.ts';

it('an answer is kept while the next is read, but not that of another Project', () => {
  const keep = keepOfProject('prj_1');
  expect(keep('before', { queryKey: ['figures', 'prj_1', '2026-01-01'] })).toBe('before');
  expect(keep('before', { queryKey: ['figures', 'prj_2', '2026-01-01'] })).toBeUndefined();
  expect(keep(undefined, undefined)).toBeUndefined();
});
