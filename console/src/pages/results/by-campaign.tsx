import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { CUSTOMERS, REFERRALS, REVENUE } from './figure-columns.tsx';
import { type FigureColumn, FiguresTable } from './figures-table.tsx';

type Campaign = Answer<'/v1/figures/campaigns'>['data'][number];

const sourceOf = ({ isOther, source }: Campaign) => (isOther ? 'Other campaigns' : (source ?? '–'));

const COLUMNS: readonly FigureColumn<Campaign>[] = [
  { title: 'Source', isText: true, sortBy: sourceOf, cell: sourceOf },
  ...(['medium', 'campaign'] as const).map((name): FigureColumn<Campaign> => {
    const textOf = (row: Campaign) => row[name] ?? '–';
    const title = name === 'medium' ? 'Medium' : 'Campaign';
    return { title, isText: true, sortBy: textOf, cell: textOf };
  }),
  REFERRALS,
  CUSTOMERS,
  REVENUE,
];

interface ByCampaignProps {
  readonly programId: string;
  /** The first and the last day of the period; all of their months are shown. */
  readonly from: string;
  readonly to: string;
}

const MONTH = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const monthName = (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** What the people brought who came by each campaign, in the months of the period. */
export function ByCampaign({ programId, from, to }: ByCampaignProps) {
  const { id: projectId } = useProject();
  const [first, last] = [from.slice(0, 7), to.slice(0, 7)];
  const { data, error, refetch } = useQuery({
    queryKey: ['campaigns', projectId, programId, first, last],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/campaigns', {
            params: { query: { projectId, programId, from: first, to: last } },
          }),
        )
      ).data,
  });
  const months = first === last ? monthName(first) : `${monthName(first)} to ${monthName(last)}`;
  return (
    <FiguresTable
      title={`By campaign, ${months}`}
      columns={COLUMNS}
      keyOf={({ source, medium, campaign }) => JSON.stringify([source, medium, campaign])}
      rows={data}
      empty="Nobody was referred by a campaign in these months. Add utm_source, utm_medium or utm_campaign to the addresses that you share."
      error={error}
      retry={() => void refetch()}
    />
  );
}
