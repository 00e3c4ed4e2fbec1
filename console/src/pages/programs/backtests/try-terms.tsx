import { Alert, Anchor, Progress, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { clockQuery } from '../../../app/project-clock.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { countOf } from '../../../ui/words.ts';
import type { Rule } from '../queries.ts';
import { type TermsForm, toBody } from '../terms/terms-form.ts';
import { Change } from './amount.tsx';
import { lastQuarter, startOf } from './quarters.ts';
import { type Backtest, backtestQuery, isOpen, resultOf } from './queries.ts';
import { sayPeriod } from './say-period.ts';

/** The terms as typed, as a definition: it says what is in force, and neither since when nor why. */
function toDefinition(form: TermsForm, rule: Rule) {
  const { effectiveAt: _, changeNote: __, customUnitId: ___, ...terms } = toBody(form, rule);
  return { apiVersion: 'goodword/v1', kind: 'Program', rules: { [rule.key]: { terms } } };
}

/** Tries typed terms on the last quarter. What was found belongs to them: it is gone once they change. */
export function useTryTerms(rule: Rule, form: TermsForm) {
  const { projectId, programId } = rule;
  const queryClient = useQueryClient();
  const [tried, setTried] = useState<{ readonly of: string; readonly id: string }>();
  const definition = toDefinition(form, rule);
  const sent = JSON.stringify(definition);
  const { submit, isBusy, error } = useSubmit(async () => {
    const clock = await queryClient.fetchQuery(clockQuery(projectId));
    const { from, to } = lastQuarter(clock.now);
    const body = { projectId, programId, from: startOf(from), to: startOf(to), definition };
    const { data } = await answerOf(api.POST('/v1/backtests', { body }));
    setTried({ of: sent, id: data.id });
  }, sent);
  const backtestId = tried?.of === sent ? tried.id : undefined;
  return { start: submit, isBusy, error, backtestId };
}

interface TriedTermsProps {
  readonly projectId: string;
  readonly tried: ReturnType<typeof useTryTerms>;
}

/** What the typed terms would have given in the last quarter. */
export function TriedTerms({ projectId, tried: { error, backtestId } }: TriedTermsProps) {
  const backtest = useQuery({
    ...backtestQuery(projectId, backtestId ?? ''),
    enabled: backtestId !== undefined,
  });
  const fault = error ?? backtest.error;
  if (fault !== null) return <ErrorState error={fault} />;
  if (backtestId === undefined) return null;
  const { data } = backtest;
  return (
    <Alert color="blue" variant="light" title={data && sayPeriod(data)} role="status">
      {data === undefined || isOpen(data) ? <Running backtest={data} /> : <Found backtest={data} />}
    </Alert>
  );
}

function Running({ backtest }: { backtest: Pick<Backtest, 'progress'> | undefined }) {
  const { done, all } = backtest?.progress ?? { done: 0, all: null };
  const share = all ? Math.round((done * 100) / all) : 0;
  return (
    <>
      <Text size="sm" mb={6}>
        These terms are being tried.
      </Text>
      <Progress.Root size="sm">
        <Progress.Section value={share} aria-label="Events decided again" />
      </Progress.Root>
    </>
  );
}

function Found({ backtest }: { backtest: Backtest }) {
  const { id, projectId, programId, status, failure } = backtest;
  const result = resultOf(backtest);
  if (!result) {
    return <Text size="sm">{status === 'failed' ? failure : 'The back-test was cancelled.'}</Text>;
  }
  const { totals, events } = result;
  return (
    <>
      {totals.length === 0 && <Text size="sm">No money was given in this time.</Text>}
      {totals.map((one) => (
        <Text key={one.currency} size="sm">
          <Change {...one} />
        </Text>
      ))}
      <Text size="sm">
        {countOf(events.different, 'event')} of {events.compared.toLocaleString()} would have had a
        different result.{' '}
        <Anchor
          component={Link}
          to="/p/$projectId/programs/$programId"
          params={{ projectId, programId } as never}
          search={{ tab: 'backtests', backtest: id } as never}
          target="_blank"
          inherit
          underline="always"
        >
          Who and why
        </Anchor>
      </Text>
    </>
  );
}
