import { type Figure, REFERRED } from './tally.ts';

/** All figures of a part of a subject. */
export interface FigureRow {
  readonly subject: string;
  readonly part: string;
  /** By name. As text: they may be larger than a JavaScript number. */
  readonly numbers: Readonly<Record<string, string>>;
  /** In a column of its own, with an index. */
  readonly referred: bigint | null;
}

/** Columns of a row that `toFigures` reads. */
export const FIGURES = 'subject, part, numbers, referred';

/** Adds the numbers of a row to those that are stored. */
export const ADD_NUMBERS = `on conflict (project_id, subject, part) do update set
     numbers = add_numbers(figures.numbers, excluded.numbers)`;

export function toFigures(rows: readonly FigureRow[]): Figure[] {
  return rows.flatMap(({ subject, part, numbers, referred }) => {
    const figures = Object.entries(numbers).map(
      ([name, value]): Figure => ({ subject, part, name, value: BigInt(value) }),
    );
    if (referred !== null) figures.push({ subject, part, name: REFERRED, value: referred });
    return figures;
  });
}

/** Figures as rows to add, each part of a subject once. */
export function toRows(figures: Iterable<Figure>): FigureRow[] {
  const rows = new Map<string, FigureRow & { numbers: Record<string, string> }>();
  for (const { subject, part, name, value } of figures) {
    const key = `${subject}\n${part}`;
    const row = rows.get(key) ?? { subject, part, numbers: {}, referred: null };
    if (name === REFERRED) rows.set(key, { ...row, referred: value });
    else {
      row.numbers[name] = String(value);
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}
