import { describe, expect, test } from 'vitest';
import { hasChanged } from './has-changed.ts';

describe('a form', () => {
  test('that was typed back to what is saved has not changed', () => {
    const saved = { name: 'Acme', tags: ['a', 'b'], limit: null };
    expect(hasChanged(saved, { ...saved, name: 'Acme!' })).toBe(true);
    expect(hasChanged(saved, { ...saved, name: 'Acme' })).toBe(false);
  });

  test('whose fields were written in another order has not changed', () => {
    const saved = { name: 'Acme', rows: [{ plan: 'pro', periods: 1 }] };
    const now = { rows: [{ periods: 1, plan: 'pro' }], name: 'Acme' };
    expect(hasChanged(saved, now)).toBe(false);
  });

  test('with its list in another order has changed', () => {
    expect(hasChanged({ rows: ['a', 'b'] }, { rows: ['b', 'a'] })).toBe(true);
  });

  test('with a part deep inside that differs has changed', () => {
    expect(hasChanged({ rows: [{ plan: 'pro' }] }, { rows: [{ plan: 'team' }] })).toBe(true);
  });
});
