import { contentOf, type Operation } from '../calls/document.ts';
import { describeParty, isParty } from './add-names.ts';
import { COLUMNS } from './columns.ts';
import { formatMajor } from './format-money.ts';
import { layRecord, layTable, type Sheet } from './layout.ts';

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema name of a list's items. */
export function itemName(operation: Operation, field: string): string {
  const schema = contentOf(operation)['application/json']?.schema;
  return schema?.properties?.[field]?.items?.$ref?.split('/').at(-1) ?? '';
}

/** Rows as a table. */
export function describeRows(rows: readonly unknown[], name: string, sheet: Sheet): string {
  const shown = rows.map((row) => withAmounts(isRow(row) ? row : { value: row }));
  const columns = (COLUMNS[name] ?? plainFields(shown)).map((column) => column.split(':'));
  const paths = columns.map(([path = '']) => path);
  const titles = columns.map(([path = '', title]) => (title ?? toWords(path)).toUpperCase());
  const values = shown.map((row) => paths.map((path) => valueAt(row, path)));
  const isNumber = paths.map(
    (_, column) =>
      values.every((row) => isFigure(row[column])) && values.some((row) => row[column] !== null),
  );
  const cells = values.map((row) => row.map(describeValue));
  return layTable(titles, cells, 'There is none.', { ...sheet, isNumber });
}

/** An object as lines of `label  value`, and its lists as tables below. */
export function describeAnswer(answer: Row, sheet: Sheet): string {
  const { success: _, ...rest } = answer;
  // An object with an id is the answer itself; otherwise it is in a field, next to secrets.
  const names = 'id' in rest ? [] : ['data', 'endpoint', 'event', 'delivery'];
  const [main] = names.filter((name) => isRow(rest[name]));
  const { [main ?? '']: inner, ...beside } = rest;
  const fields = flatten(withAmounts({ ...(main === undefined ? {} : (inner as Row)), ...beside }));
  const tables = fields.filter(([, value]) => isTable(value));
  const lines = fields.filter(([, value]) => !isTable(value));
  const isShownOnce = ['key', 'secret', 'link'].some((name) => typeof beside[name] === 'string');
  return [
    layRecord(lines.map(([path, value]) => [toWords(path), describeValue(value)])),
    ...tables.map(
      ([path, value]) => `\n${toWords(path)}\n${describeRows(value as unknown[], '', sheet)}`,
    ),
    isShownOnce ? 'It is shown only once. Keep it with your other secrets.\n' : '',
  ].join('');
}

const AMOUNT = /^-?\d+(\.\d+)? [A-Z]{3}$/;

/** A number, an amount, or its absence: such columns are aligned to the right. */
const isFigure = (value: unknown): boolean =>
  value === null || typeof value === 'number' || (typeof value === 'string' && AMOUNT.test(value));

const isTable = (value: unknown): boolean => Array.isArray(value) && value.some(isRow);

/** Nested fields, with dots between their names; empty ones are left out. */
function flatten(row: Row, before = ''): [path: string, value: unknown][] {
  return Object.entries(row).flatMap(([name, value]) => {
    const path = before === '' ? name : `${before}.${name}`;
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    return isRow(value) ? flatten(withAmounts(value), path) : [[path, value]];
  });
}

/** Formats amounts in minor units: `amountMinor` with its currency becomes `amount`. */
function withAmounts(row: Row): Row {
  const { currency, currencyExponent, money, discount, custom, ...rest } = row;
  const isMoney = typeof currency === 'string' && typeof currencyExponent === 'number';
  const amounts = isMoney
    ? Object.fromEntries(
        Object.entries(rest).map(([name, value]) =>
          name.endsWith('Minor') && typeof value === 'string' && /^-?\d+$/.test(value)
            ? [name.slice(0, -5), `${formatMajor(BigInt(value), currencyExponent)} ${currency}`]
            : [name, value],
        ),
      )
    : { ...rest, ...(currency === undefined ? {} : { currency, currencyExponent }) };
  if (!('benefitKind' in row) || money === undefined) return { ...amounts, ...benefitOf(row) };
  return { ...amounts, amount: describeBenefit(row) };
}

/** The benefit's fields of an object that is not a reward. */
function benefitOf({ money, discount, custom }: Row): Row {
  return Object.fromEntries(
    Object.entries({ money, discount, custom }).filter(([, value]) => value !== undefined),
  );
}

/** The value of a reward: `10.00 USD`, `12.5 %`, `3 GB`. */
export function describeBenefit({ money, discount, custom }: Row): string {
  if (isRow(money)) {
    const exponent = Number(money.currencyExponent);
    return `${formatMajor(BigInt(String(money.netAmountMinor)), exponent)} ${money.currency}`;
  }
  if (isRow(discount)) return `${Number(discount.rateBps) / 100} %`;
  if (isRow(custom)) {
    const name = custom.quantity === 1 ? custom.unitName : custom.unitNamePlural;
    return `${custom.quantity} ${name}`;
  }
  return '-';
}

function plainFields(rows: readonly Row[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].filter(
    (name) =>
      !['projectId', 'updatedAt'].includes(name) &&
      rows.some((row) => row[name] !== null && !isRow(row[name]) && !isTable(row[name])),
  );
}

function valueAt(row: Row, path: string): unknown {
  if (path === 'key' && row.key === undefined) return `${row.prefix}…${row.last4}`;
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (Array.isArray(at) ? at[Number(name)] : isRow(at) ? at[name] : undefined),
      row,
    );
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(describeEntry).join(', ') || '-';
  if (isParty(value)) return describeParty(value);
  return isRow(value) ? JSON.stringify(value) : String(value);
}

function describeEntry(value: unknown): string {
  if (!isRow(value)) return String(value);
  const { amount, netAmount } = withAmounts(value);
  return String(netAmount ?? amount ?? JSON.stringify(value));
}

/** `beneficiary.externalId` as words: `Beneficiary external id`. */
function toWords(path: string): string {
  const words = path
    .replace(/\./g, ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
