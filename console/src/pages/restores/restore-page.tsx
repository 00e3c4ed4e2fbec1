import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { HistoryIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, Lines } from '../../ui/states.tsx';
import { When } from '../../ui/when.tsx';
import { AdvancesSection } from './advances-section.tsx';
import { CheckSection } from './check-section.tsx';
import { FilesSection } from './files-section.tsx';
import { heldOf, type Restore, restoresQuery, sayUnassigned } from './restores.ts';

const INTRO =
  'After a restore, payments are paused until it is known what was sent since the backup. Transfers that this store does not know of are deducted from later payouts.';

export function RestorePage() {
  const { workspaceId } = useProject();
  const { data, error, refetch } = useQuery(restoresQuery(workspaceId));
  const [latest] = data ?? [];
  const restore = heldOf(data) ?? latest;
  return (
    <Page title="Restore" intro={INTRO}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Lines count={8} />}
      {data && !restore && (
        <EmptyState icon={<HistoryIcon />} title="This store was not restored">
          Nothing is held back.
        </EmptyState>
      )}
      {restore && <RestoreParts restore={restore} />}
    </Page>
  );
}

function RestoreParts({ restore }: { restore: Restore }) {
  return (
    <Stack>
      <Standing restore={restore} />
      {restore.checks.map((check) => (
        <CheckSection key={check.connectionId} restore={restore} check={check} />
      ))}
      <FilesSection restore={restore} />
      <AdvancesSection restore={restore} />
    </Stack>
  );
}

const CAUSES: Readonly<Record<Restore['cause'], string>> = {
  backup: 'Restored from a backup',
  moved: 'The database is not where the service last ran on it',
  declared: 'Declared by a person',
};

function Standing({ restore }: { restore: Restore }) {
  const { workspaceId } = useProject();
  const queryClient = useQueryClient();
  const mayWrite = useMay('payouts:write');
  const [isAsked, setAsked] = useState(false);
  const isHeld = restore.status === 'held';
  const unassigned = restore.transfers.reduce((sum, one) => sum + one.unassignedCount, 0);
  const release = () =>
    answerOf(
      api.POST('/v1/workspaces/{workspaceId}/restores/{restoreId}/release', {
        params: { path: { workspaceId, restoreId: restore.id } },
        body: { acceptUnassigned: unassigned > 0 },
      }),
    );
  return (
    <Section
      title={isHeld ? 'Payments are paused' : 'Payments were resumed'}
      actions={
        isHeld &&
        mayWrite && (
          <Button onClick={() => setAsked(true)} disabled={!restore.canRelease}>
            Resume payments…
          </Button>
        )
      }
    >
      <Facts
        rows={[
          ['Cause', CAUSES[restore.cause]],
          ['Unknown since', <When key="since" clock="real" at={restore.since} />],
          ['Declared', <When key="declared" clock="real" at={restore.createdAt} />],
          [
            'Resumed',
            <When key="released" clock="real" at={restore.releasedAt} fallback="Not yet" />,
          ],
        ]}
      />
      {isHeld && !restore.canRelease && (
        <Text size="sm">
          Some accounts are not checked yet. Below is what is left to do for each.
        </Text>
      )}
      {[...restore.transfers, ...restore.credits].map((sum, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: transfers and credits may have the same currency
        <Group key={index} gap="xs">
          <Text size="sm">
            {index < restore.transfers.length ? 'Transfers' : 'Credits'} that this store did not
            know of: {sum.count},
          </Text>
          <Money
            amountMinor={sum.amountMinor}
            currency={sum.currency}
            exponent={sum.currencyExponent}
          />
        </Group>
      ))}
      <Confirm
        opened={isAsked}
        onClose={() => setAsked(false)}
        title="Resume payments?"
        action="Resume payments"
        isDangerous
        onConfirm={release}
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ['restores', workspaceId] });
          notifyDone('Payments are resumed.');
        }}
      >
        {unassigned > 0 && `${sayUnassigned(unassigned)} `}
        Waiting payouts and rewards are sent at once. This cannot be undone.
        {restore.files.length > 0 &&
          ' Batches that you pay from a file cannot be checked: compare them with your bank first.'}
      </Confirm>
    </Section>
  );
}
