import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sheet = readFileSync(new URL('colours.css', import.meta.url), 'utf8');

const colours = new Map(
  [...sheet.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name as string, { light, dark } as Record<string, string>],
  ),
);

/** As WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const pairs = [
  ...['text', 'strong', 'quiet', 'accent', 'must', ...METHODS].flatMap((name) => [
    [name, 'ground'],
    [name, 'raised'],
  ]),
  ['accent', 'tint'],
  ...METHODS.map((name) => [name, `${name}-ground`]),
] as [string, string][];

test.each(['light', 'dark'])('text can be read by everyone in the %s theme (AA)', (theme) => {
  const weak = pairs.filter(([text, ground]) => {
    const [front, back] = [text, ground].map((name) => colours.get(name)?.[theme]);
    return contrast(front as string, back as string) < 4.5;
  });
  expect(weak).toEqual([]);
});
