/** Contrast by WCAG 2.2, so that any brand colour is readable as text and as background. */

type Rgb = readonly [number, number, number];

const READABLE = 4.5;

/** Black or white, whichever is more readable on the colour: at least 4.5 to 1. */
export function textUpon(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000';
}

/** The colour, mixed with black or white just as far as needed to be readable on the surface. */
export function readableOn(surface: string, colour: string): string {
  const pole = textUpon(surface);
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = mix(colour, pole, part);
    if (contrast(mixed, surface) >= READABLE) return mixed;
  }
  return pole;
}

export function contrast(one: string, other: string): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [r, g, b] = toRgb(colour);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function mix(colour: string, other: string, part: number): string {
  const [r, g, b] = toRgb(colour);
  const [x, y, z] = toRgb(other);
  return `#${hex(r + (x - r) * part)}${hex(g + (y - g) * part)}${hex(b + (z - b) * part)}`;
}

const hex = (channel: number) => Math.round(channel).toString(16).padStart(2, '0');

function toRgb(colour: string): Rgb {
  const n = Number.parseInt(colour.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}
