import { Button, Group, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { type Check, describeCheck, nameOf, type Restore, readReferences } from './restores.ts';

interface CheckProps {
  readonly restore: Restore;
  readonly check: Check;
}

/** What was asked of one account, and what a person can do if it cannot say. */
export function CheckSection({ restore, check }: CheckProps) {
  const { workspaceId } = useProject();
  const queryClient = useQueryClient();
  const mayWrite = useMay('payouts:write');
  const [asked, setAsked] = useState<'override' | 'add' | null>(null);
  const [references, setReferences] = useState('');
  const close = () => setAsked(null);
  const name = nameOf(check.method);
  const { connectionId } = check;
  const path = { workspaceId, restoreId: restore.id };
  const isOpen = restore.status === 'held' && check.status !== 'asked';
  const readAgain = () =>
    void queryClient.invalidateQueries({ queryKey: ['restores', workspaceId] });
  return (
    <Section
      title={`${name}, ${check.environment}`}
      aside={<StatusBadge {...describeCheck(check)} />}
      actions={
        isOpen &&
        mayWrite && (
          <>
            {check.projectId === null && (
              <Button variant="default" onClick={() => setAsked('add')}>
                Add transfers…
              </Button>
            )}
            <Button variant="default" onClick={() => setAsked('override')}>
              Skip the check…
            </Button>
          </>
        )
      }
    >
      {check.message && <Text size="sm">{check.message}</Text>}
      {check.override && <Text size="sm">Skipped: {check.override.reason}</Text>}
      {check.status === 'asked' && (
        <Group gap="xs">
          <Text size="sm">
            {check.adopted === 0
              ? 'It sent nothing that this store does not know of.'
              : `It sent ${check.adopted} that this store did not know of.`}
          </Text>
        </Group>
      )}
      <Confirm
        opened={asked === 'override'}
        onClose={close}
        title={`Skip the check of ${name}?`}
        action="Skip the check"
        isDangerous
        reason={{ label: 'Why it can be skipped', isRequired: true, maxLength: 500 }}
        onConfirm={(reason) =>
          answerOf(
            api.POST(
              '/v1/workspaces/{workspaceId}/restores/{restoreId}/checks/{connectionId}/override',
              { params: { path: { ...path, connectionId } }, body: { reason } },
            ),
          )
        }
        onDone={() => {
          readAgain();
          notifyDone(`The check of ${name} is skipped.`);
        }}
      >
        Transfers that {name} made since the backup and this store does not know of are paid a
        second time. Compare its website first, and add what you find there. Your reason is kept in
        the audit log.
      </Confirm>
      <Confirm
        opened={asked === 'add'}
        onClose={close}
        title={`Add transfers of ${name}`}
        action="Add"
        isReady={readReferences(references).length > 0}
        isChanged={references !== ''}
        onConfirm={() =>
          answerOf(
            api.POST('/v1/workspaces/{workspaceId}/restores/{restoreId}/transfers', {
              params: { path },
              body: { connectionId, references: readReferences(references) },
            }),
          )
        }
        onDone={({ data }) => {
          setReferences('');
          readAgain();
          const recorded = data.filter(({ result }) => result === 'recorded').length;
          notifyDone(`${recorded} of ${data.length} were found and are counted.`);
        }}
      >
        <Textarea
          label={`Ids at ${name}`}
          description="At PayPal, of the payout batches. Separate them by commas or lines; at most 50."
          autosize
          minRows={3}
          value={references}
          onChange={(event) => setReferences(event.currentTarget.value)}
        />
      </Confirm>
    </Section>
  );
}
