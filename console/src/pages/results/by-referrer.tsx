import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { CUSTOMERS, personColumn, REFERRALS, REVENUE, sumsColumn } from './figure-columns.tsx';
import { type FigureColumn, FiguresTable } from './figures-table.tsx';

type Referrer = Answer<'/v1/figures/top-referrers'>['data'][number];

const WHO = personColumn('Who');
const EARNED = sumsColumn('Earned, net', 'earned');
const BRIEF: readonly FigureColumn<Referrer>[] = [WHO, REFERRALS, EARNED];
const ALL: readonly FigureColumn<Referrer>[] = [WHO, REFERRALS, CUSTOMERS, REVENUE, EARNED];

interface ByReferrerProps {
  /** Undefined for all programs. */
  readonly programId: string | undefined;
  /** Where it shares a row of the page. */
  readonly isBrief?: boolean;
}

/** What each of the top referrers or partners has brought, of all time. */
export function ByReferrer({ programId, isBrief = false }: ByReferrerProps) {
  const { id: projectId } = useProject();
  const limit = isBrief ? 8 : 10;
  const { data, error, refetch } = useQuery({
    queryKey: ['top-referrers', projectId, programId, limit],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/top-referrers', {
            params: { query: { projectId, limit, ...(programId ? { programId } : {}) } },
          }),
        )
      ).data,
  });
  return (
    <FiguresTable
      title="Top referrers, all time"
      columns={isBrief ? BRIEF : ALL}
      keyOf={({ participant }) => participant.participantId}
      rows={data}
      empty="No referrals yet. Share a link: the people who refer the most are listed here."
      error={error}
      retry={() => void refetch()}
    />
  );
}
