import type { Filters } from '../../app/filters.ts';
import { isTimeRange, type Span, spanOf } from './time-ranges.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A filter that a list offers. Its values are in the address, by `name`. */
export type FilterSpec =
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly choices: readonly Choice[];
    }
  | { readonly kind: 'person'; readonly name: string; readonly label: string }
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly label: string;
      readonly placeholder?: string;
      readonly maxLength?: number;
      /** The value of what was typed; null if it is none. */
      readonly read?: (typed: string) => string | null;
      /** What to type instead. */
      readonly hint?: string;
    }
  | {
      readonly kind: 'time';
      /** Contains the name of a proposed range; an own range is in the other two. */
      readonly name: string;
      readonly label: string;
      readonly from: string;
      readonly to: string;
    };

/** The names in the address that belong to a filter. */
export const namesOf = (spec: FilterSpec): readonly string[] =>
  spec.kind === 'time' ? [spec.name, spec.from, spec.to] : [spec.name];

export function isSet(spec: FilterSpec, filters: Filters): boolean {
  if (spec.kind !== 'time') return filters[spec.name] !== undefined;
  return Boolean(filters[spec.from] || filters[spec.to] || isTimeRange(filters[spec.name]));
}

/** The own range in the address, or the proposed one at this time. */
function readSpan(spec: Extract<FilterSpec, { kind: 'time' }>, filters: Filters, now: Date): Span {
  const { [spec.from]: from, [spec.to]: to, [spec.name]: range } = filters;
  if (from || to) return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  return isTimeRange(range) ? spanOf(range, now) : {};
}

/** The filters of the address as the API takes them. */
export function toQuery(specs: readonly FilterSpec[], filters: Filters, now: Date): Filters {
  const pairs = specs.flatMap((spec): [string, string | undefined][] => {
    if (spec.kind !== 'time') return [[spec.name, filters[spec.name]]];
    const { from, to } = readSpan(spec, filters, now);
    return [
      [spec.from, from],
      [spec.to, to],
    ];
  });
  return Object.fromEntries(pairs);
}

/** Those of the filters that are set, by the names that a list knows. */
export function pickSet(names: readonly string[], filters: Filters): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = filters[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/** Whether two views show the same. */
export function isSameView(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}
