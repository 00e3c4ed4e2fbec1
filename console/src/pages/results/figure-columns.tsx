import { type Person, personLabel } from '../../ui/person.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { formatCount } from '../home/format-count.ts';
import type { FigureColumn } from './figures-table.tsx';
import { type Sum, Sums } from './sums.tsx';

/** A column of a number: how often something happened. */
export const countColumn = <N extends string>(
  title: string,
  name: N,
): FigureColumn<Readonly<Record<N, number>>> => ({
  title,
  sortBy: (row) => row[name],
  cell: (row) => formatCount(row[name]),
});

/** A column of amounts, by currency. */
export const sumsColumn = <N extends string>(
  title: string,
  name: N,
): FigureColumn<Readonly<Record<N, readonly Sum[]>>> => ({
  title,
  sums: (row) => row[name],
  cell: (row) => <Sums of={row[name]} />,
});

/** A column of people, by name. */
export const personColumn = (
  title: string,
): FigureColumn<{ readonly participant: Person & { readonly participantId: string } }> => ({
  title,
  isText: true,
  sortBy: ({ participant: one }) => personLabel(one, one.participantId),
  cell: ({ participant }) => <PersonCell id={participant.participantId} person={participant} />,
});

/** What somebody or something has brought. */
export const REFERRALS = countColumn('Referrals', 'referrals');
export const CUSTOMERS = countColumn('Customers', 'customers');
export const REVENUE = sumsColumn('Revenue', 'revenue');
