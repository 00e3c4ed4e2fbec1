import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { keepOfProject } from '../../ui/keep-of-project.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { formatDay } from '../../ui/when.tsx';
import { formatCount } from '../home/format-count.ts';
import { formatShare } from './numbers.ts';

const WEEKS = 12;
type Cohort = Answer<'/v1/figures/cohorts'>['data'][number];

interface CohortsProps {
  /** A day of the last week. */
  readonly to: string;
  readonly programId: string | undefined;
}

/** Of those who were referred in a week, the share that had bought by each later week. */
export function Cohorts({ to, programId }: CohortsProps) {
  const { id: projectId } = useProject();
  const cohorts = useQuery({
    queryKey: ['cohorts', projectId, to, programId],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/cohorts', {
            params: { query: { projectId, to, weeks: WEEKS, ...(programId ? { programId } : {}) } },
          }),
        )
      ).data,
    placeholderData: keepOfProject(projectId),
  });
  return (
    <Section
      title="When referred people buy"
      intro="Of those referred in a week, the share that had bought by the end of each week after it."
    >
      {cohorts.isPending && <Lines count={6} />}
      {cohorts.isError && <ErrorState error={cohorts.error} retry={() => void cohorts.refetch()} />}
      {cohorts.data && <HeatMap cohorts={cohorts.data} />}
    </Section>
  );
}

function HeatMap({ cohorts }: { cohorts: readonly Cohort[] }) {
  const filled = cohorts.filter(({ referrals }) => referrals > 0);
  if (filled.length === 0) {
    return <Text c="dimmed">No referrals in these {WEEKS} weeks.</Text>;
  }
  const first = cohorts.findIndex(({ referrals }) => referrals > 0);
  const shown = cohorts.slice(first).toReversed();
  const columns = Math.max(...shown.map(({ bought }) => bought.length));
  const best = Math.max(
    ...filled.map(({ referrals, bought }) => (bought.at(-1) ?? 0) / referrals),
    0.0001,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="heat-scroll" aria-label="Weekly cohorts" tabIndex={0}>
      <table className="heat-map">
        <thead>
          <tr>
            <th scope="col">Week of</th>
            <th scope="col">Referrals</th>
            {Array.from({ length: columns }, (_, week) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number of weeks
              <th key={week} scope="col" aria-label={sayWeek(week)} title={sayWeek(week)}>
                {week === 0 ? 'Week 0' : `+${week}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ week, referrals, bought }) => (
            <tr key={week}>
              <th scope="row">{formatDay(week)}</th>
              <td>{formatCount(referrals)}</td>
              {Array.from({ length: columns }, (_, later) => {
                const count = bought[later];
                const share = count === undefined || referrals === 0 ? null : count / referrals;
                return (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number of weeks
                    key={later}
                    className="heat"
                    style={
                      share
                        ? ({ '--heat': `${Math.round(6 + (56 * share) / best)}%` } as never)
                        : undefined
                    }
                    title={share === null ? undefined : `${count} of ${referrals} had bought`}
                  >
                    {share === null ? '' : formatShare(count ?? 0, referrals)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function sayWeek(week: number): string {
  if (week === 0) return 'By the end of the same week';
  return `By the end of ${week} ${week === 1 ? 'week' : 'weeks'} later`;
}
