import '../backtests/backtests.css';
import { useQuery } from '@tanstack/react-query';
import { clockQuery } from '../../../app/project-clock.ts';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { useFilters } from '../../../ui/use-filters.ts';
import { BacktestForm } from '../backtests/backtest-form.tsx';
import { BacktestList } from '../backtests/backtest-list.tsx';
import { BacktestView } from '../backtests/backtest-view.tsx';
import { beginFrom, beginWith } from '../backtests/begin-backtest.ts';
import { backtestQuery } from '../backtests/queries.ts';
import type { Program } from '../queries.ts';

/** Tries another definition of the program on the past. The back-test that is shown is in the address. */
export default function BacktestsTab({ program }: { program: Program }) {
  const [{ backtest: id }, setFilters] = useFilters();
  const show = (backtest: string) => setFilters({ backtest }, { isStep: true });
  return (
    <>
      {id === undefined ? (
        <NewBacktest program={program} onStarted={show} />
      ) : (
        <ShownBacktest key={id} program={program} id={id} onStarted={show} />
      )}
      <BacktestList program={program} shownId={id} />
    </>
  );
}

interface NewBacktestProps {
  readonly program: Program;
  readonly onStarted: (id: string) => void;
}

/** Begins with the last quarter of the project's clock. */
function NewBacktest({ program, onStarted }: NewBacktestProps) {
  const clock = useQuery(clockQuery(program.projectId));
  if (clock.isError) {
    return <ErrorState error={clock.error} retry={() => void clock.refetch()} />;
  }
  if (clock.isPending) return <Lines count={4} height={24} />;
  return <BacktestForm program={program} first={beginWith(clock.data.now)} onStarted={onStarted} />;
}

/** A back-test, below what was asked: to see it, and to try something close to it. */
function ShownBacktest({ program, id, onStarted }: NewBacktestProps & { readonly id: string }) {
  const backtest = useQuery(backtestQuery(program.projectId, id));
  if (backtest.isError) {
    return <ErrorState error={backtest.error} retry={() => void backtest.refetch()} />;
  }
  if (backtest.isPending) return <Lines count={4} height={24} />;
  return (
    <>
      <BacktestForm program={program} first={beginFrom(backtest.data)} onStarted={onStarted} />
      <BacktestView backtest={backtest.data} />
    </>
  );
}
