import type { Column } from '../../ui/data-table.tsx';
import { PersonMark } from '../../ui/person-cell.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { formatCount } from '../home/format-count.ts';
import { compareSums } from '../results/compare-sums.ts';
import { Sums } from '../results/sums.tsx';
import type { PartnerRow } from './partners-query.ts';
import { stateOfPartner } from './states.ts';

const WHO: readonly Column<PartnerRow>[] = [
  {
    title: 'Partner',
    width: 'minmax(11rem, 2fr)',
    sortBy: ({ name }) => name,
    cell: ({ id, name, email, profileType }) => (
      <span className="person">
        <PersonMark id={id} label={name} isGroup={profileType === 'company'} />
        <span className="person-text">
          <ThingLink type="partner" id={id}>
            <span className="name" title={name ?? undefined}>
              {name ?? 'Erased partner'}
            </span>
          </ThingLink>
          {email && <span className="person-detail">{email}</span>}
        </span>
      </span>
    ),
  },
  {
    title: 'State',
    width: '7rem',
    sortBy: (partner) => stateOfPartner(partner).label,
    cell: (partner) => <StatusBadge {...stateOfPartner(partner)} />,
  },
];

const ABOUT: readonly Column<PartnerRow>[] = [
  {
    title: 'Kind',
    width: '7rem',
    cell: ({ profileType }) => (profileType === 'company' ? 'Company' : 'Person'),
  },
  { title: 'Country', width: '5.5rem', cell: ({ country }) => country ?? '–' },
  {
    title: 'Since',
    width: '11rem',
    cell: ({ createdAt }) => <When clock="real" at={createdAt} />,
  },
];

const count = (title: string, name: 'clicks' | 'referrals' | 'customers'): Column<PartnerRow> => ({
  title,
  width: '6.75rem',
  align: 'right',
  sortBy: ({ results }) => results?.[name] ?? null,
  cell: ({ results }) => (
    <span className="figure">{results ? formatCount(results[name]) : '–'}</span>
  ),
});

const COUNTS = [
  count('Clicks', 'clicks'),
  count('Referrals', 'referrals'),
  count('Customers', 'customers'),
];

/** Amounts can be sorted if all are of one currency. */
function sums(
  title: string,
  name: 'revenue' | 'earned',
  rows: readonly PartnerRow[],
): Column<PartnerRow> {
  const sortBy = compareSums(rows, ({ results }) => results?.[name] ?? []);
  return {
    title,
    width: 'minmax(7.5rem, 1fr)',
    align: 'right',
    ...(sortBy ? { sortBy } : {}),
    cell: ({ results }) => <Sums of={results?.[name] ?? []} />,
  };
}

/** Those of the results only for users who may read them. */
export const partnerColumns = (
  rows: readonly PartnerRow[],
  hasResults: boolean,
): readonly Column<PartnerRow>[] =>
  hasResults
    ? [...WHO, ...COUNTS, sums('Sales', 'revenue', rows), sums('Earned', 'earned', rows)]
    : [...WHO, ...ABOUT];
