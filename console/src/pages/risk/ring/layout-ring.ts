import type { Ring } from '../queries.ts';
import { groupLinks, type Referred, type SharedKind } from './group-links.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PersonAt extends Point {
  readonly id: string;
  /** Where the name is, seen from the person. */
  readonly side: 'above' | 'below' | 'left' | 'right';
}

export interface SharedAt {
  readonly kind: SharedKind;
  readonly ids: readonly string[];
  /** The mark of what is shared, in the middle of those who share it. */
  readonly at: Point;
  readonly lines: readonly { readonly from: Point; readonly to: Point }[];
}

interface ReferralLine extends Referred {
  readonly start: Point;
  readonly end: Point;
}

export interface RingLayout {
  readonly width: number;
  readonly height: number;
  readonly people: readonly PersonAt[];
  readonly referrals: readonly ReferralLine[];
  readonly shared: readonly SharedAt[];
}

export const PERSON_RADIUS = 18;
const MARK_GAP = 26;
const PERSON_GAP = 32;
const LINE_GAP = 15;
const LINE_STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const SPIRAL_STEPS = 150;
const ARROW_GAP = PERSON_RADIUS + 5;
/** Along the circle, from one person to the next. */
const SPACING = 62;
const MIN_RADIUS = 96;
/** Room for names at the sides, above and below. */
const MARGIN_X = 148;
const MARGIN_Y = 52;

/**
 * Places the people of a ring. Those who refer each other in a circle stand on a circle. Otherwise
 * the referrer is in the middle, with everybody else around, in the order of who referred them.
 */
export function layoutRing(ring: Ring, referrerId: string): RingLayout {
  const { referred, shared } = groupLinks(ring);
  const ids = ring.people.map(({ participantId }) => participantId);
  const cycle = findCycle(referrerId, referred);
  const middle = cycle.length > 2 || !ids.includes(referrerId) ? null : referrerId;
  const around = [...new Set([...cycle, ...walk(referrerId, referred), ...ids])].filter(
    (id) => id !== middle && ids.includes(id),
  );
  const radius = Math.max(MIN_RADIUS, (around.length * SPACING) / (2 * Math.PI));
  const center = { x: radius + MARGIN_X, y: radius + MARGIN_Y };
  const places = new Map<string, PersonAt>();
  if (middle !== null) places.set(middle, { id: middle, ...center, side: 'below' });
  for (const [index, id] of around.entries()) {
    // With two of them, one is on each side rather than above and below.
    const turn = index / around.length - (around.length === 2 ? 0 : 0.25);
    const angle = turn * 2 * Math.PI;
    const x = Math.cos(angle);
    const y = Math.sin(angle);
    places.set(id, {
      id,
      x: round(center.x + radius * x),
      y: round(center.y + radius * y),
      side: sideOf(x, y),
    });
  }
  const at = (id: string): Point => places.get(id) ?? center;
  const lines = referred.map(({ from, to }) => ({ from, to, ...shorten(at(from), at(to)) }));
  return {
    width: round(2 * center.x),
    height: round(2 * center.y),
    people: ids.flatMap((id) => places.get(id) ?? []),
    referrals: lines,
    shared: placeShared(shared, at, obstaclesOf([...places.values()], lines)),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

function sideOf(x: number, y: number): PersonAt['side'] {
  if (Math.abs(x) > 0.35) return x > 0 ? 'right' : 'left';
  return y > 0 ? 'below' : 'above';
}

/** The people in a circle of referrals that begins with this person; empty if there is none. */
function findCycle(start: string, referred: readonly Referred[]): string[] {
  const visit = (path: readonly string[]): string[] | null => {
    for (const { from, to } of referred) {
      if (from !== path.at(-1)) continue;
      if (to === start) return [...path];
      const found = path.includes(to) ? null : visit([...path, to]);
      if (found) return found;
    }
    return null;
  };
  return visit([start]) ?? [];
}

/** Everybody by referrals from this person on, those of one referrer beside each other; then those above. */
function walk(start: string, referred: readonly Referred[]): string[] {
  const seen = new Set<string>();
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const { from, to } of referred) if (from === id) visit(to);
    for (const { from, to } of referred) if (to === id) visit(from);
  };
  visit(start);
  return [...seen];
}

/** From the edge of one person to just before the other, where the head of the arrow is. */
function shorten(from: Point, to: Point): { start: Point; end: Point } {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = (distance: number): Point => ({
    x: round(from.x + ((to.x - from.x) * distance) / length),
    y: round(from.y + ((to.y - from.y) * distance) / length),
  });
  return { start: along(PERSON_RADIUS), end: along(length - ARROW_GAP) };
}

interface Obstacle extends Point {
  /** How far a mark has to be from it. */
  readonly gap: number;
}

/** What marks should not cover: people, the names above and below them, and referrals. */
function obstaclesOf(people: readonly PersonAt[], lines: readonly ReferralLine[]): Obstacle[] {
  return [
    ...people.map(({ x, y }) => ({ x, y, gap: PERSON_GAP })),
    ...people.flatMap(({ x, y, side }) =>
      side === 'below'
        ? [-30, -15, 0, 15, 30].map((dx) => ({ x: x + dx, y: y + 30, gap: 18 }))
        : [],
    ),
    ...lines.flatMap(({ start, end }) =>
      LINE_STEPS.map((part) => ({
        x: start.x + part * (end.x - start.x),
        y: start.y + part * (end.y - start.y),
        gap: LINE_GAP,
      })),
    ),
  ];
}

/** The marks of what is shared: between those who share it, and beside all that is there. */
function placeShared(
  shared: readonly { kind: SharedKind; ids: readonly string[] }[],
  at: (id: string) => Point,
  obstacles: readonly Obstacle[],
): SharedAt[] {
  const taken: Obstacle[] = [];
  return shared.map(({ kind, ids }) => {
    const points = ids.map(at);
    const sum = points.reduce((one, other) => ({ x: one.x + other.x, y: one.y + other.y }));
    const middle = { x: sum.x / points.length, y: sum.y / points.length };
    const place = findFree(middle, [...obstacles, ...taken]);
    taken.push({ ...place, gap: MARK_GAP });
    return { kind, ids, at: place, lines: points.map((to) => ({ from: place, to })) };
  });
}

/** The free place nearest to the middle, on a spiral around it; the middle if there is none nearby. */
function findFree(middle: Point, obstacles: readonly Obstacle[]): Point {
  for (let step = 0; step < SPIRAL_STEPS; step += 1) {
    const angle = step * 2.4;
    const distance = 5 * Math.sqrt(step);
    const x = round(middle.x + distance * Math.cos(angle));
    const y = round(middle.y + distance * Math.sin(angle));
    if (obstacles.every((one) => Math.hypot(one.x - x, one.y - y) >= one.gap)) return { x, y };
  }
  return { x: round(middle.x), y: round(middle.y) };
}
