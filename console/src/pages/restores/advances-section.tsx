import { Button, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { When } from '../../ui/when.tsx';
import { type Advance, advancesQuery, nameOf, type Restore } from './restores.ts';

/** The transfers that the store did not know of, and whose they are. */
export function AdvancesSection({ restore }: { restore: Restore }) {
  const { workspaceId } = useProject();
  const queryClient = useQueryClient();
  const mayWrite = useMay('payouts:write');
  const { data, error } = useQuery(advancesQuery(workspaceId, restore.id));
  const [dismissed, setDismissed] = useState<Advance | null>(null);
  if (error) return <ErrorState error={error} />;
  if (!data || data.data.length === 0) return null;
  return (
    <Section
      title="Paid in advance"
      intro={
        <>
          These transfers are deducted from later payouts to the same payee. If a payee is not
          known, assign it with <code>goodword payout-advances assign</code>, or it is deducted once
          somebody is paid to the same account.
        </>
      }
    >
      <div className="wide-table">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Made</Table.Th>
              <Table.Th>By</Table.Th>
              <Table.Th>To</Table.Th>
              <Table.Th>Amount</Table.Th>
              <Table.Th>Left</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((one) => (
              <Table.Tr key={one.id}>
                <Table.Td>
                  <When clock="real" at={one.madeAt} />
                </Table.Td>
                <Table.Td>{nameOf(one.method)}</Table.Td>
                <Table.Td>
                  {one.account ?? 'An unknown account'}
                  {one.payee === null && (
                    <Text size="xs" c="dimmed">
                      Payee not known
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Money
                    amountMinor={one.amountMinor}
                    currency={one.currency}
                    exponent={one.currencyExponent}
                  />
                </Table.Td>
                <Table.Td>
                  {one.status === 'dismissed' ? (
                    'Dismissed'
                  ) : (
                    <Money
                      amountMinor={one.leftMinor}
                      currency={one.currency}
                      exponent={one.currencyExponent}
                    />
                  )}
                </Table.Td>
                <Table.Td>
                  {mayWrite && one.status === 'counted' && (
                    <Button variant="subtle" size="compact-sm" onClick={() => setDismissed(one)}>
                      Dismiss…
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {data.nextCursor !== null && (
        <Text size="sm">
          The newest 100 are shown. <code>goodword restores transfers</code> lists all.
        </Text>
      )}
      <Confirm
        opened={dismissed !== null}
        onClose={() => setDismissed(null)}
        title="Dismiss this transfer?"
        action="Dismiss"
        isDangerous
        reason={{ label: 'Why it is not deducted', isRequired: true, maxLength: 500 }}
        onConfirm={(reason) =>
          answerOf(
            api.POST('/v1/workspaces/{workspaceId}/payout-advances/{advanceId}/dismiss', {
              params: { path: { workspaceId, advanceId: dismissed?.id ?? '' } },
              body: { reason },
            }),
          )
        }
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ['restores', workspaceId] });
          notifyDone('The transfer is dismissed.');
        }}
      >
        It is not deducted from later payouts. If the payee did receive it for their rewards, they
        are paid twice.
      </Confirm>
    </Section>
  );
}
