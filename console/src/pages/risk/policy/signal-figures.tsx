import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SortedTable } from '../../../ui/lists/sorted-table.tsx';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import type { Program } from '../../programs/queries.ts';
import { type RiskChoice, type Signal, signalFiguresQuery } from '../queries.ts';
import { SIGNAL_NAMES, signalLabel } from '../words/signal-words.ts';
import { rejectedShare } from './rejected-share.ts';

interface SignalFiguresProps {
  readonly program: Program;
  readonly points: RiskChoice['points'];
}

/** How often each signal fired in a review, and how often that one was rejected. */
export function SignalFigures({ program, points }: SignalFiguresProps) {
  const { data, error, refetch } = useQuery(signalFiguresQuery(program.projectId, program.id));
  const figuresOf = (signal: Signal) =>
    data?.find((one) => one.signal === signal) ?? { open: 0, approved: 0, rejected: 0 };
  const rows = SIGNAL_NAMES.map((signal) => ({ signal, ...figuresOf(signal) }));
  return (
    <Section
      title="Signals"
      intro="How the reviews with each signal were decided. A signal whose reviews are mostly approved has too many points."
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Lines count={4} />}
      {data && (
        <div className="figures-table">
          <SortedTable
            rows={rows}
            idOf={({ signal }) => signal}
            columns={[
              {
                title: 'Signal',
                sortBy: ({ signal }) => signalLabel(signal),
                cell: ({ signal }) => signalLabel(signal),
              },
              {
                title: 'Points',
                align: 'end',
                sortBy: ({ signal }) => points[signal],
                cell: ({ signal }) => points[signal],
              },
              { title: 'Open', align: 'end', sortBy: ({ open }) => open, cell: ({ open }) => open },
              {
                title: 'Approved',
                align: 'end',
                sortBy: ({ approved }) => approved,
                cell: ({ approved }) => approved,
              },
              {
                title: 'Rejected',
                align: 'end',
                sortBy: ({ rejected }) => rejected,
                cell: ({ rejected }) => rejected,
              },
              {
                title: 'Share rejected',
                align: 'end',
                sortBy: rejectedShare,
                cell: (row) => <Share percent={rejectedShare(row)} />,
              },
            ]}
          />
        </div>
      )}
    </Section>
  );
}

function Share({ percent }: { percent: number | null }) {
  if (percent === null) {
    return (
      <Text span c="dimmed">
        –
      </Text>
    );
  }
  return (
    <span className="share">
      <span className="share-bar" aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
      {percent}%
    </span>
  );
}
