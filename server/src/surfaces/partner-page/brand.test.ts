import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../domain/programs/program-config.ts';
import { brandOf, brandStyle, contrastOf, imageSource, readableOn, textOn } from './brand.ts';

const aColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((n) => `#${n.toString(16).padStart(6, '0')}`);
const withWidget = (change: object) => ({
  config: { ...DEFAULT_CONFIG, widgetConfig: { ...DEFAULT_CONFIG.widgetConfig, ...change } },
});

test('every colour can be read as text and as a background, in light and dark', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#777777')).toBe(1);
  fc.assert(
    fc.property(aColour, (colour) => {
      const style = brandStyle(':root', { name: '', logoUrl: null, colour });
      const rules = [...style.matchAll(/--accent: (#\w+); --on-accent: (#\w+);/g)];
      expect(rules).toHaveLength(2);
      const surfaces = [
        ['#eef2ef', '#f4f6f4', '#ffffff'],
        ['#19211d', '#101513', '#111815'],
      ];
      for (const [index, [, accent = '', onAccent = '']] of rules.entries()) {
        expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
        for (const surface of surfaces[index] ?? []) {
          expect(contrastOf(accent, surface)).toBeGreaterThanOrEqual(4.5);
        }
      }
    }),
  );
});

test('a colour that can be read is left as it is', () => {
  expect(readableOn('#ffffff', '#4f46e5')).toBe('#4f46e5');
  expect([textOn('#ffff00'), textOn('#000080')]).toEqual(['#000000', '#ffffff']);
});

test('nothing but a colour gets into the style', () => {
  for (const colour of [null, '', 'red', '#fff', '#12345;', '#123456;}', '}</style>']) {
    expect(brandStyle(':root', { name: '', logoUrl: null, colour })).toBe('');
  }
});

test('a brand has the product’s name or else the fallback, and a logo only over https', () => {
  expect(brandOf(withWidget({ productName: ' Acme ', logoUrl: '' }), 'Workspace')).toEqual({
    name: 'Acme',
    logoUrl: null,
    colour: '#4F46E5',
  });
  expect(brandOf(withWidget({}), 'Workspace').name).toBe('Workspace');
  for (const logoUrl of ['http://example.com/a.png', 'javascript:alert(1)', 'data:,x', 'logo']) {
    expect(brandOf(withWidget({ logoUrl }), '').logoUrl).toBeNull();
  }
  const { logoUrl } = brandOf(withWidget({ logoUrl: 'https://example.com/a b.png?v=1' }), '');
  expect(logoUrl).toBe('https://example.com/a%20b.png?v=1');
});

test('a logo’s address cannot add to the policy', () => {
  expect(imageSource('https://cdn.example.com/a;b,c.png?x=1; script-src *#y')).toBe(
    'https://cdn.example.com/a%3Bb%2Cc.png',
  );
});
