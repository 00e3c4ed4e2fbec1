import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { readIssues } from '../../ui/form-issues.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { countOf } from '../../ui/words.ts';
import type { Endpoint } from './states.ts';
import { useCountSince, usePendingCount } from './use-waiting.ts';

/** Maximum of events per call. */
const CHUNK = 100;

interface ReplayDialogProps {
  readonly endpoint: Endpoint;
  /** Ids of events; null to choose a time. */
  readonly chosen: readonly string[] | null;
  readonly onClose: () => void;
  readonly onQueued: () => void;
}

const dayAgo = () => new Date(Date.now() - 86_400_000).toISOString();

/** Queues events again and shows the progress of sending. */
export function ReplayDialog({ endpoint, chosen, onClose, onQueued }: ReplayDialogProps) {
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const [since, setSince] = useState<string | null>(dayAgo);
  const [asked, setAsked] = useState(0);
  const [queued, setQueued] = useState<number | null>(null);
  const send = async (what: { eventIds: string[] } | { since: string }) =>
    (
      await answerOf(
        api.POST('/v1/webhook-endpoints/{endpointId}/replay', {
          params: { path: { endpointId: endpoint.id } },
          body: { projectId, ...what },
        }),
      )
    ).queued;
  const { submit, isBusy, error } = useSubmit(async () => {
    let count = 0;
    if (chosen) {
      for (let at = 0; at < chosen.length; at += CHUNK) {
        const eventIds = chosen.slice(at, at + CHUNK);
        count += await send({ eventIds });
        setAsked(at + eventIds.length);
      }
    } else {
      if (since === null) return;
      count = await send({ since });
    }
    setQueued(count);
    onQueued();
  });
  const issues = readIssues(error, ['since']);
  const close = () => {
    void queryClient.invalidateQueries({
      queryKey: ['webhook-deliveries', projectId, endpoint.id],
    });
    onClose();
  };
  const title = chosen ? `Replay ${countOf(chosen.length, 'event')}` : 'Replay since a time';
  return (
    <Modal opened onClose={() => !isBusy && close()} title={title} centered>
      {queued === null ? (
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Text size="sm">
              {chosen
                ? `${countOf(chosen.length, 'event')} will be sent to ${endpoint.url} again, each with a full set of attempts.`
                : `Every event of its types that happened since then will be sent to ${endpoint.url}, whether it was delivered before or not.`}{' '}
              Your receiver should skip ids that it has already processed.
            </Text>
            {!chosen && (
              <DateTimeInput
                label="Since"
                description="By when it happened, in your time zone."
                value={since}
                onChange={setSince}
                isRequired
                error={issues.of('since')}
              />
            )}
            {!chosen && <HowMany endpointId={endpoint.id} since={since} />}
            {isBusy && chosen && chosen.length > CHUNK && (
              <Progress value={(asked / chosen.length) * 100} aria-label="Events queued" />
            )}
            {issues.rest !== null && <ErrorState error={issues.rest} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={isBusy}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy} disabled={!chosen && since === null}>
                {chosen ? `Replay ${countOf(chosen.length, 'event')}` : 'Replay'}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Sending endpoint={endpoint} queued={queued} onClose={close} />
      )}
    </Modal>
  );
}

function HowMany({ endpointId, since }: { endpointId: string; since: string | null }) {
  const [settled] = useDebouncedValue(since, 400);
  const { data } = useCountSince(endpointId, settled);
  if (!data || settled !== since) return null;
  return (
    <Text size="sm" role="status" fw={600}>
      {data.isMore
        ? `That is more than ${countOf(data.count, 'event')}.`
        : `That is ${countOf(data.count, 'event')} with deliveries, plus any that the endpoint missed.`}
    </Text>
  );
}

interface SendingProps {
  readonly endpoint: Endpoint;
  readonly queued: number;
  readonly onClose: () => void;
}

/** How many queued deliveries still wait: they are sent at once, and retried if that fails. */
function Sending({ endpoint, queued, onClose }: SendingProps) {
  const { data } = usePendingCount(endpoint.id, true, 2_000);
  const left = data ? Math.min(queued, data.count) : queued;
  const isMany = data?.isMore ?? true;
  const said =
    queued === 0
      ? 'Nothing had to be queued: all of it is already being sent.'
      : `${countOf(queued, 'delivery', 'deliveries')} queued.`;
  return (
    <Stack>
      <Text role="status">
        {said} {data && queued > 0 && left === 0 && 'All were sent.'}
        {data &&
          left > 0 &&
          `${isMany ? 'More than ' : ''}${left.toLocaleString()} still to be sent.`}
      </Text>
      {queued > 0 &&
        (isMany && queued > left ? (
          // The rest is not counted completely, so the bar shows no fraction.
          <Progress value={100} striped animated aria-label="Deliveries are being sent" />
        ) : (
          <Progress value={((queued - left) / queued) * 100} aria-label="Deliveries sent" />
        ))}
      {left > 0 && (
        <Text size="sm" c="dimmed">
          You can close this; sending continues. Failed deliveries are retried for three days.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
