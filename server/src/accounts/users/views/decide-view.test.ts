import { expect, test } from 'vitest';
import { checkChange, decideSave, VIEWS_MAX } from './decide-view.ts';
import type { StoredView } from './view-store.ts';

const at = '2026-11-15T09:30:00.000Z';
const view = (name: string, more: Partial<StoredView> = {}): StoredView => ({
  id: `view_${name}`,
  list: 'rewards',
  name,
  filters: { fulfillmentStatus: 'pending', programId: 'prg_1' },
  createdAt: at,
  updatedAt: at,
  ...more,
});
const asked = (name: string, filters: Record<string, string> = { fulfillmentStatus: 'failed' }) =>
  ({ list: 'rewards', name, filters }) as const;

test('a repeat finds the view, in whatever order its filters come', () => {
  const known = view('Waiting');
  const filters = { programId: 'prg_1', fulfillmentStatus: 'pending' };
  expect(decideSave([known], asked('Waiting', filters))).toBe(known);
});

test.each([
  { fulfillmentStatus: 'failed', programId: 'prg_1' },
  { fulfillmentStatus: 'pending' },
  { fulfillmentStatus: 'pending', programId: 'prg_1', order: 'asc' },
])('a name is not used for other filters: %j', (filters) => {
  expect(() => decideSave([view('Waiting')], asked('Waiting', filters))).toThrow(
    expect.objectContaining({ code: 'CONFLICT', reason: 'name_taken' }),
  );
});

test('each list has its own names and its own limit', () => {
  const full = Array.from({ length: VIEWS_MAX }, (_, index) => view(`View ${index}`));
  expect(() => decideSave(full, asked('One more'))).toThrow(
    expect.objectContaining({ code: 'CONFLICT', reason: 'limit_reached' }),
  );
  expect(decideSave(full.slice(1), asked('One more'))).toBe('insert');
  const others = full.map((one) => ({ ...one, list: 'payouts' as const }));
  expect(decideSave(others, asked('View 1'))).toBe('insert');
  expect(decideSave(full, { ...asked('View 1'), filters: full[1]?.filters ?? {} })).toBe(full[1]);
});

test('a view keeps its own name, and takes none of another of its list', () => {
  const views = [view('One'), view('Two'), view('Three', { list: 'payouts' })];
  const [one] = views as [StoredView];
  expect(() => checkChange(views, one, { name: 'One' })).not.toThrow();
  expect(() => checkChange(views, one, { name: 'Three' })).not.toThrow();
  expect(() => checkChange(views, one, { name: 'Two' })).toThrow(
    expect.objectContaining({ code: 'CONFLICT', reason: 'name_taken' }),
  );
});

test.each(['waiting', 'Wait\u200Bing', 'Ｗaiting'])(
  '%j is taken by a name that looks the same',
  (name) => {
    const known = view('Waiting');
    const taken = expect.objectContaining({ code: 'CONFLICT', reason: 'name_taken' });
    expect(() => decideSave([known], { ...asked(name), filters: known.filters })).toThrow(taken);
    const other = view('Other');
    expect(() => checkChange([known, other], other, { name })).toThrow(taken);
    expect(() => checkChange([known, other], known, { name })).not.toThrow();
  },
);

test('names that looked the same before may stay, and get other filters', () => {
  const views = [view('Waiting'), view('waiting')];
  const [one] = views as [StoredView];
  expect(() => checkChange(views, one, { name: 'Waiting' })).not.toThrow();
});
