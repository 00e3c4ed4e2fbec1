import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fragment } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import { PersonInline } from '../../../ui/person-cell.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { ThingLink } from '../../../ui/thing-link.tsx';
import type { Program } from '../../programs/queries.ts';
import type { RiskChoice, RiskPreview } from '../queries.ts';
import { signalLabel } from '../words/signal-words.ts';
import { previewSentence } from './preview-words.ts';

interface RiskPreviewBoxProps {
  readonly program: Program;
  /** Null while the form is not valid. */
  readonly choice: RiskChoice | null;
}

const EXAMPLES_MAX = 5;

/** What a policy would have done with the scores that were kept. */
export function RiskPreviewBox({ program, choice }: RiskPreviewBoxProps) {
  const { id: programId, projectId } = program;
  const asking = useMutation({
    mutationFn: async (body: RiskChoice) =>
      (
        await answerOf(
          api.POST('/v1/programs/{programId}/risk-policies/preview', {
            params: { path: { programId } },
            body: { projectId, ...body },
          }),
        )
      ).data,
  });
  const { data, variables, error } = asking;
  const isOutdated = data !== undefined && choice !== null && hasChanged(variables, choice);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <div>
            <Text fw={600}>What would this have caught?</Text>
            <Text size="sm" c="dimmed">
              {isOutdated
                ? 'The policy has changed since. Compare again.'
                : 'By the newest 10,000 referrals at most. Nothing changes.'}
            </Text>
          </div>
          <Button
            variant="default"
            loading={asking.isPending}
            disabled={choice === null}
            onClick={() => choice && asking.mutate(choice)}
          >
            Compare
          </Button>
        </Group>
        {error && <ErrorState error={error} />}
        <div role="status">{data && <Caught preview={data} />}</div>
      </Stack>
    </Paper>
  );
}

function Caught({ preview }: { preview: RiskPreview }) {
  const { judged, bySignal, examples } = preview;
  const shown = bySignal
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  return (
    <Stack gap="sm">
      <Text fw={500}>{previewSentence(preview)}</Text>
      {shown.length > 0 && (
        <dl className="caught" aria-label="How often each signal fired">
          {shown.map(({ signal, count }) => (
            <Fragment key={signal}>
              <dt>{signalLabel(signal)}</dt>
              <dd className="share-bar" aria-hidden>
                <span style={{ width: `${(100 * count) / judged}%` }} />
              </dd>
              <dd className="figure">{count.toLocaleString()}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {examples.length > 0 && (
        <ul className="sentence-list" aria-label="Examples">
          {examples.slice(0, EXAMPLES_MAX).map(({ referralId, referrer, referee, score }) => (
            <li key={referralId}>
              <Text size="sm" component="span">
                <PersonInline id={referrer.participantId} person={referrer} /> referred{' '}
                <PersonInline id={referee.participantId} person={referee} />, score{' '}
                <ThingLink type="referral" id={referralId}>
                  {score}
                </ThingLink>
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
