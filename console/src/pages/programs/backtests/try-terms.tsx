import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../../api/client.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { type Rule, useProjectNow } from '../queries.ts';
import { type TermsForm, toBody } from '../terms/terms-form.ts';
import { lastQuarter, startOf } from './last-quarter.ts';

interface TryTermsProps {
  readonly rule: Rule;
  readonly form: TermsForm;
  /** Whether the form has faults; then this asks for them to be shown. */
  readonly check: () => boolean;
  readonly onStarted: () => void;
}

/** Tries terms on the last quarter before they are published. */
export function TryTerms({ rule, form, check, onStarted }: TryTermsProps) {
  const { projectId, programId, key } = rule;
  const now = useProjectNow();
  const navigate = useNavigate();
  const { submit, isBusy, error } = useSubmit(async () => {
    if (check()) return;
    const { from, to } = lastQuarter(now);
    // A definition says what is in force, and neither since when nor why.
    const { effectiveAt: _, changeNote: __, customUnitId: ___, ...terms } = toBody(form, rule);
    const definition = { apiVersion: 'goodword/v1', kind: 'Program', rules: { [key]: { terms } } };
    const body = { projectId, programId, from: startOf(from), to: startOf(to), definition };
    const { data } = await answerOf(api.POST('/v1/backtests', { body }));
    onStarted();
    await navigate({
      to: '/p/$projectId/programs/$programId',
      params: { projectId, programId },
      search: { tab: 'backtests', backtest: data.id },
      ignoreBlocker: true,
    } as never);
  });
  return (
    <>
      {error !== null && <ErrorState error={error} />}
      <Button variant="default" loading={isBusy} onClick={() => void submit()}>
        Try on the last quarter
      </Button>
    </>
  );
}
