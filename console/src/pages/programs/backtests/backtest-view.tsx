import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { type Backtest, backtestsKey, isOpen, resultOf } from './queries.ts';
import { ResultView } from './result-view.tsx';

/** A back-test: its progress, then what it found. */
export function BacktestView({ backtest }: { backtest: Backtest }) {
  const result = resultOf(backtest);
  if (result) return <ResultView backtest={backtest} result={result} />;
  return isOpen(backtest) ? <Waiting backtest={backtest} /> : <Ended backtest={backtest} />;
}

function Waiting({ backtest }: { backtest: Backtest }) {
  const { id: backtestId, projectId, status, progress } = backtest;
  const queryClient = useQueryClient();
  const { submit, isBusy, error } = useSubmit(async () => {
    const params = { path: { backtestId } };
    await answerOf(api.POST('/v1/backtests/{backtestId}/cancel', { params, body: { projectId } }));
    await queryClient.invalidateQueries({ queryKey: backtestsKey(projectId) });
  });
  const { done, all } = progress;
  const share = all ? Math.round((done * 100) / all) : 0;
  return (
    <Section
      title={status === 'queued' ? 'The back-test is waiting' : 'The back-test is running'}
      intro="Every event of this time is decided again. Your project is not changed."
      actions={
        <Button variant="default" loading={isBusy} onClick={() => void submit()}>
          Cancel
        </Button>
      }
    >
      <Stack gap="xs">
        <Progress.Root>
          <Progress.Section value={share} aria-label="Events decided again" />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {all === null ? 'It has not started.' : `${done} of ${all} events`}
        </Text>
        {error !== null && <ErrorState error={error} />}
      </Stack>
    </Section>
  );
}

function Ended({ backtest: { status, failure } }: { backtest: Backtest }) {
  return (
    <Alert color={status === 'failed' ? 'red' : 'gray'} variant="light">
      {status === 'failed' ? failure : 'The back-test was cancelled.'}
    </Alert>
  );
}
