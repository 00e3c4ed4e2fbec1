import { parseCsv } from '../../../ui/parse-csv.ts';
import type { EntryKind } from './list-entries.ts';

export interface ReadValues {
  /** Valid ones, without repeats. */
  readonly values: readonly string[];
  /** What was left out because it is none. */
  readonly refused: readonly string[];
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
/** The titles that a column of a table may have. */
const TITLE =
  /^(e-?mail )?(domains?|networks?|cidrs?|ips?|participants?|external.?ids?|ids?|values?|groups?|persons?|people)$/i;

/** Values from what was typed, pasted or read from a file: one a line, or the first column of a table. */
export function readValues(text: string, kind: EntryKind): ReadValues {
  const values = new Set<string>();
  const refused: string[] = [];
  for (const [index, cell] of firstCells(text).entries()) {
    if (index === 0 && TITLE.test(cell)) continue;
    const value = readValue(cell, kind);
    if (value === null) refused.push(cell);
    else values.add(value);
  }
  return { values: [...values], refused };
}

function firstCells(text: string): string[] {
  const { header, rows } = parseCsv(text.trim());
  return [header, ...rows].map(([first = '']) => first.trim()).filter((cell) => cell !== '');
}

function readValue(cell: string, kind: EntryKind): string | null {
  if (kind === 'domain') {
    // An address or a link is somewhere to copy a domain from.
    const domain = cell
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^.*@/, '')
      .replace(/\/.*$/, '');
    return DOMAIN.test(domain) && domain.length <= 253 ? domain : null;
  }
  if (kind === 'network') return isNetwork(cell.toLowerCase()) ? cell.toLowerCase() : null;
  return cell.length <= 255 ? cell : null;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const v4 = V4.exec(address);
  const most = v4 ? 32 : 128;
  const isWidth = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  if (!isWidth) return false;
  if (v4) return v4.slice(1).every((part) => Number(part) <= 255);
  return isV6(address);
}

/** By the parser of addresses that every browser has. */
function isV6(address: string): boolean {
  try {
    return address.includes(':') && new URL(`http://[${address}]/`).hostname !== '';
  } catch {
    return false;
  }
}
