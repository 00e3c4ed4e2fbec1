import type { CsvTable } from '../../ui/parse-csv.ts';

/** The fields of an import, with common column names. */
export const FIELDS = {
  externalId: {
    label: 'External id',
    names: ['externalid', 'id', 'userid', 'customerid', 'user', 'customer'],
  },
  kind: { label: 'Kind (individual or group)', names: ['kind'] },
  name: { label: 'Name', names: ['name', 'fullname', 'displayname'] },
  email: { label: 'E-mail', names: ['email', 'emailaddress', 'mail'] },
  billingId: { label: 'Billing id', names: ['billingid', 'stripecustomerid', 'stripeid'] },
  code: { label: 'Code', names: ['code', 'referralcode', 'couponcode'] },
  slug: { label: 'Name of the link', names: ['slug', 'link', 'linkname'] },
  referredByExternalId: {
    label: 'Referred by (external id)',
    names: ['referredby', 'referrerid', 'referrer', 'referredbyid', 'referredbyexternalid'],
  },
  referredByCode: {
    label: 'Referred by (code)',
    names: ['referredbycode', 'referrercode', 'usedcode', 'refcode'],
  },
  referredAt: { label: 'Referred at', names: ['referredat', 'referraldate', 'referredon'] },
  // Set once: a column is used for them only if it is named so.
  startingReferrals: { label: 'Starting referrals', names: ['startingreferrals'] },
  startingPurchases: { label: 'Starting purchases', names: ['startingpurchases'] },
  startingRevenue: {
    label: 'Starting revenue (as 120.50 USD)',
    names: ['startingrevenue'],
  },
} as const;

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** The column of each field; null if the file does not have it. */
export type Mapping = Readonly<Record<Field, number | null>>;

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Every column is used once, by the field that lists its name first. */
export function guessMapping(header: readonly string[]): Mapping {
  const taken = new Set<number>();
  const columns = header.map(plain);
  const find = (names: readonly string[]) => {
    for (const name of names) {
      const index = columns.findIndex((one, at) => one === name && !taken.has(at));
      if (index >= 0) {
        taken.add(index);
        return index;
      }
    }
    return null;
  };
  const found = FIELD_NAMES.map((field) => [field, find(FIELDS[field].names)] as const);
  return Object.fromEntries(found) as Mapping;
}

export type ImportRow = Partial<Record<Field, string>>;

export interface PlannedRow {
  /** Line of the file, as an editor counts. */
  readonly line: number;
  readonly row: ImportRow;
}

/** The data to send for each line: non-empty fields, trimmed. */
export function planRows(table: CsvTable, mapping: Mapping): PlannedRow[] {
  return table.rows.map((cells, index) => {
    const row: ImportRow = {};
    for (const field of FIELD_NAMES) {
      const column = mapping[field];
      const value = column === null ? '' : (cells[column] ?? '').trim();
      if (value !== '') row[field] = value;
    }
    return { line: table.lines[index] ?? 0, row };
  });
}

export const SLICE = 100;

/** The first row with each name, by the names that rows use for their referrer. */
export function indexNames(rows: readonly PlannedRow[]): ReadonlyMap<string, PlannedRow> {
  const byName = new Map<string, PlannedRow>();
  for (const planned of rows) {
    for (const name of namesOf(planned.row)) if (!byName.has(name)) byName.set(name, planned);
  }
  return byName;
}

/**
 * The earlier rows that contain the referrers of these rows: a dry run leaves nothing that a later
 * call could find.
 */
export function neededBefore(
  byName: ReadonlyMap<string, PlannedRow>,
  slice: readonly PlannedRow[],
): ImportRow[] {
  const firstLine = slice[0]?.line ?? 0;
  const needed = new Set<ImportRow>();
  for (const { row } of slice) {
    const { referredByCode: code, referredByExternalId: id } = row;
    for (const name of [code && codeName(code), id && idName(id)]) {
      const found = name ? byName.get(name) : undefined;
      if (found && found.line < firstLine) needed.add(found.row);
    }
  }
  return [...needed].map(({ externalId, kind, code, slug }) => ({
    ...(externalId === undefined ? {} : { externalId }),
    ...(kind === undefined ? {} : { kind }),
    ...(code === undefined ? {} : { code }),
    ...(slug === undefined ? {} : { slug }),
  }));
}

const codeName = (code: string) => `code ${code.toLowerCase()}`;
const idName = (externalId: string, kind = 'individual') => `${kind} ${externalId}`;

function namesOf({ externalId, kind, code, slug }: ImportRow): string[] {
  const names = [code, slug].flatMap((one) => (one ? [codeName(one)] : []));
  return externalId ? [...names, idName(externalId, kind)] : names;
}

export function slicesOf<T>(rows: readonly T[]): T[][] {
  const slices: T[][] = [];
  for (let at = 0; at < rows.length; at += SLICE) slices.push(rows.slice(at, at + SLICE));
  return slices;
}
