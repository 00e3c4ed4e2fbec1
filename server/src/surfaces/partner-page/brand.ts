import type { ProgramState } from '../../domain/programs/queries.ts';

/** How a program presents itself. */
export interface Brand {
  readonly name: string;
  /** An https address; null without a logo. */
  readonly logoUrl: string | null;
  /** Like `#4F46E5`; null for the page's own colours. */
  readonly colour: string | null;
}

/** `fallback` is the name of whoever runs a program that names no product. */
export function brandOf({ config }: Pick<ProgramState, 'config'>, fallback: string): Brand {
  const { productName, logoUrl } = config.widgetConfig;
  const isLoadable = URL.canParse(logoUrl) && new URL(logoUrl).protocol === 'https:';
  return {
    name: productName.trim() || fallback,
    logoUrl: isLoadable ? new URL(logoUrl).href : null,
    colour: config.brandConfig.primaryColor,
  };
}

/** The logo's address in a policy, which has neither a query nor separators of the policy itself. */
export function imageSource(logoUrl: string): string {
  const { origin, pathname } = new URL(logoUrl);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

/** The surfaces of the page that are hardest to read on: the darkest light one, the lightest dark one. */
const LIGHT = '#eef2ef';
const DARK = '#19211d';
const READABLE = 4.5;
const COLOUR = /^#[0-9a-f]{6}$/i;

/** Rules that give a part of the page its brand's colour, readable in light and dark; '' without one. */
export function brandStyle(selector: string, { colour }: Brand): string {
  if (colour === null || !COLOUR.test(colour)) return '';
  const rule = (surface: string) => {
    const accent = readableOn(surface, colour);
    return `${selector} { --accent: ${accent}; --on-accent: ${textOn(accent)}; }`;
  };
  return `${rule(LIGHT)}\n@media (prefers-color-scheme: dark) { ${rule(DARK)} }\n`;
}

/** Black or white, whichever can be read better on the colour. */
export function textOn(colour: string): string {
  return contrastOf(colour, '#000000') > contrastOf(colour, '#ffffff') ? '#000000' : '#ffffff';
}

/** The colour, moved towards black or white in small steps until it can be read on the surface. */
export function readableOn(surface: string, colour: string): string {
  const goal = textOn(surface);
  const steps = Array.from({ length: 20 }, (_, step) => blend(colour, goal, step / 20));
  return steps.find((step) => contrastOf(step, surface) >= READABLE) ?? goal;
}

/** From 1 to 21, as WCAG 2 defines it. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [brightnessOf(one), brightnessOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const WEIGHTS = [0.2126, 0.7152, 0.0722];

function brightnessOf(colour: string): number {
  return channelsOf(colour)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * (WEIGHTS[index] ?? 0), 0);
}

function blend(from: string, to: string, share: number): string {
  const ends = channelsOf(to);
  const mixed = channelsOf(from).map((channel, index) =>
    Math.round(channel + ((ends[index] ?? 0) - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
