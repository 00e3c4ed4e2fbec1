import { Button, List, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { PersonInline } from '../../ui/person-cell.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { countOf } from '../../ui/words.ts';
import { mailKey } from '../mail/queries.ts';
import { groupLeftOut, type LeftOutGroup, sayDone, sayPlan } from './remind-words.ts';

interface RemindProps {
  /** Null for everybody without payout details. */
  readonly participantIds: readonly string[] | null;
}

/** Mails people who have no payout details, after showing who gets a mail and who does not. */
export function RemindButton({ participantIds }: RemindProps) {
  const mayPay = useMay('payouts:write');
  const [isOpen, setOpen] = useState(false);
  if (!mayPay) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<MailIcon size={16} />}
        onClick={() => setOpen(true)}
        style={{ alignSelf: 'flex-start' }}
      >
        Remind them by mail
      </Button>
      {isOpen && (
        <ConfirmReminders participantIds={participantIds} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function ConfirmReminders({ participantIds, onClose }: RemindProps & { onClose: () => void }) {
  const { id: projectId, environment } = useProject();
  const queries = useQueryClient();
  const send = async (dryRun: boolean) => {
    const named = participantIds === null ? {} : { participantIds: [...participantIds] };
    const body = { projectId, dryRun, ...named };
    return (await answerOf(api.POST('/v1/payouts/reminders', { body }))).data;
  };
  const plan = useQuery({
    queryKey: ['payouts', projectId, 'reminders', participantIds],
    queryFn: () => send(true),
    gcTime: 0,
    retry: false,
  });
  const count = plan.data?.reminded.length ?? 0;
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Remind them by mail?"
      action={count === 0 ? 'Send' : `Send ${countOf(count, 'mail')}`}
      isReady={count > 0}
      onConfirm={() => send(false)}
      onDone={(sent) => {
        notifyDone(sayDone(sent));
        void queries.invalidateQueries({ queryKey: mailKey(projectId) });
      }}
    >
      <Stack gap="sm">
        {plan.isError && <ErrorState error={plan.error} retry={() => void plan.refetch()} />}
        {plan.isPending && <Lines count={2} />}
        {plan.data && (
          <>
            <span>{sayPlan(plan.data)}</span>
            {participantIds === null && (
              <Text span size="sm" c="dimmed">
                Everybody without payout details is asked, also those whose rewards are still held.
              </Text>
            )}
            {groupLeftOut(plan.data).map((group) => (
              <LeftOutPeople key={group.label} group={group} />
            ))}
            {environment === 'sandbox' && count > 0 && (
              <Text span size="sm" c="dimmed">
                This is a sandbox: its mails are only listed under Mail, unless its mail settings
                allow sending.
              </Text>
            )}
          </>
        )}
      </Stack>
    </Confirm>
  );
}

const SHOWN = 5;

function LeftOutPeople({ group: { label, count, participantIds } }: { group: LeftOutGroup }) {
  const more = count - Math.min(participantIds.length, SHOWN);
  return (
    <div>
      <Text span size="sm" fw={600}>
        Left out: {label} ({count.toLocaleString()})
      </Text>
      <List size="sm" listStyleType="none" spacing={4} mt={4}>
        {participantIds.slice(0, SHOWN).map((id) => (
          <List.Item key={id}>
            <PersonInline id={id} />
          </List.Item>
        ))}
        {more > 0 && participantIds.length > 0 && (
          <List.Item>and {more.toLocaleString()} more</List.Item>
        )}
      </List>
    </div>
  );
}
