import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, readableOn, textUpon } from './colour.ts';

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((n) => `#${n.toString(16).padStart(6, '0')}`);

test('contrast is as WCAG counts it', () => {
  expect(contrast('#ffffff', '#000000')).toBe(21);
  expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
  expect(contrast('#123456', '#123456')).toBe(1);
});

test('text can be read upon any colour', () => {
  fc.assert(
    fc.property(colours, (colour) => contrast(textUpon(colour), colour) >= 4.5),
    { numRuns: 2_000 },
  );
});

test('any colour can be read on light and dark, and stays as it is where it already can', () => {
  fc.assert(
    fc.property(colours, fc.constantFrom('#f5f6f8', '#22252d'), (colour, surface) => {
      const ink = readableOn(surface, colour);
      expect(contrast(ink, surface)).toBeGreaterThanOrEqual(4.5);
      if (contrast(colour, surface) >= 4.5) expect(ink).toBe(colour);
    }),
    { numRuns: 2_000 },
  );
});

test('the edge of a field is seen on what it stands on, light and dark (WCAG 1.4.11)', () => {
  const css = readFileSync(new URL('./panel.css', import.meta.url), 'utf8');
  const valuesOf = (name: string) =>
    [...css.matchAll(new RegExp(`${name}: (#\\w+);`, 'g'))].map(([, hex = '']) =>
      hex.length === 4 ? hex.replace(/\w/g, '$&$&') : hex,
    );
  const edges = valuesOf('--border-field');
  expect(edges).toHaveLength(2);
  for (const [n, edge] of edges.entries()) {
    for (const surface of ['--background', '--background-soft']) {
      expect(contrast(edge, valuesOf(surface)[n] ?? '')).toBeGreaterThanOrEqual(3);
    }
  }
});
