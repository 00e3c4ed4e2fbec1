import type { Statement } from './merge-writes.ts';

/** More rows are cheaper as one list per column. */
const FEW = 2;

interface Column {
  /** From 1, as in the text. */
  readonly param: number;
  readonly type: string;
}

/** Rows that a statement is given as a list for each of their columns. */
type Source = readonly Column[];

interface Form {
  readonly sources: readonly Source[];
  /** The text before, between and after them. */
  readonly between: readonly string[];
  /** By the number of rows of each source. */
  readonly texts: Map<string, string>;
}

const SOURCE = /unnest\(([^()]*)\)(?=\s+as [a-z_]+ \()/g;
const LIST = /^\s*\$(\d+)::([a-z ]+)\[\]\s*$/;
const forms = new Map<string, Form | null>();

/**
 * The same statement with its rows written one by one, if they are few: this takes the database a
 * quarter less time than reading one list per column and assembling the rows.
 */
export function writeFewAsRows(statement: Statement): Statement {
  const { text, params } = statement;
  const form = formOf(text);
  if (!form) return statement;
  const listOf = ({ param }: Column) => params[param - 1] as readonly unknown[];
  const counts = form.sources.map((columns) => rowsOf(columns.map(listOf)));
  if (!counts.every((count) => count > 0 && count <= FEW)) return statement;
  const values = [...params];
  for (const columns of form.sources) {
    for (const column of columns) values[column.param - 1] = listOf(column)[0] ?? null;
  }
  for (const [index, columns] of form.sources.entries()) {
    for (let row = 1; row < (counts[index] as number); row += 1) {
      for (const column of columns) values.push(listOf(column)[row] ?? null);
    }
  }
  const key = counts.join();
  const known = form.texts.get(key) ?? compose(form, counts, params.length);
  form.texts.set(key, known);
  return { text: known, params: values };
}

/** The number of rows; 0 if the lists are not columns of complete rows. */
function rowsOf(lists: readonly (readonly unknown[])[]): number {
  const count = lists[0]?.length ?? 0;
  return lists.every((list) => Array.isArray(list) && list.length === count) ? count : 0;
}

/** Null if there is nothing to rewrite. Texts are constants of the program. */
function formOf(text: string): Form | null {
  const known = forms.get(text);
  if (known !== undefined) return known;
  const form = readForm(text);
  forms.set(text, form);
  return form;
}

function readForm(text: string): Form | null {
  const sources: Source[] = [];
  const between: string[] = [];
  let at = 0;
  for (const match of text.matchAll(SOURCE)) {
    const columns = (match[1] as string).split(',').map((list): Column | null => {
      const [, param, type] = LIST.exec(list) ?? [];
      const isOnce = text.split(new RegExp(`\\$${param}\\b`)).length === 2;
      return type !== undefined && isOnce ? { param: Number(param), type } : null;
    });
    if (!columns.every((column) => column !== null)) return null;
    sources.push(columns);
    between.push(text.slice(at, match.index));
    at = match.index + match[0].length;
  }
  if (sources.length === 0) return null;
  return { sources, between: [...between, text.slice(at)], texts: new Map() };
}

function compose(
  { sources, between }: Form,
  counts: readonly number[],
  paramCount: number,
): string {
  let used = paramCount;
  const written = sources.map((columns, index) => {
    const rows = Array.from({ length: counts[index] as number }, (_, row) => {
      const values = columns.map(({ param, type }) => {
        if (row > 0) used += 1;
        return `$${row === 0 ? param : used}::${type}`;
      });
      return `(${values.join(', ')})`;
    });
    return `(values ${rows.join(', ')})`;
  });
  return between.map((part, index) => part + (written[index] ?? '')).join('');
}
