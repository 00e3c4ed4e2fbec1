import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { answerOf, api, type paths } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, type Endless, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { PayoutBadge } from './badges.tsx';
import { FAILURE_REASONS, METHODS, type Payout } from './states.ts';

type Query = paths['/v1/payouts']['get']['parameters']['query'];
export type PayoutFilters = Partial<Omit<Query, 'projectId' | 'cursor' | 'limit' | 'order'>>;

/** Payouts, newest first unless another order is given. */
export function usePayouts(
  narrowed: Readonly<Partial<Record<keyof PayoutFilters | 'order', string | undefined>>>,
): Endless<Payout> {
  const { id: projectId } = useProject();
  return useEndless<Payout>(['payouts', projectId, 'list', narrowed], (cursor, signal) => {
    const page = { limit: 50, ...(cursor ? { cursor } : {}) };
    const query = { projectId, ...page, ...(narrowed as Omit<Query, 'projectId'>) };
    return answerOf(api.GET('/v1/payouts', { params: { query }, signal })).then(byCursor);
  });
}

/** The payee, from the lines: a payout has one payee. */
export function PayeeName({ payout }: { payout: Payout }) {
  const beneficiary = payout.rewards[0]?.beneficiary;
  if (!beneficiary) return <Text span>–</Text>;
  return <PersonCell id={beneficiary.participantId} person={beneficiary} />;
}

const COLUMNS: readonly Column<Payout>[] = [
  {
    title: 'Payout',
    width: 'minmax(7rem, 0.7fr)',
    align: 'right',
    cell: ({ id, amountMinor, currency, currencyExponent }) => (
      <ThingLink type="payout" id={id}>
        <Money amountMinor={amountMinor} currency={currency} exponent={currencyExponent} />
      </ThingLink>
    ),
  },
  { title: 'To', cell: (payout) => <PayeeName payout={payout} /> },
  {
    title: 'State',
    width: '7.5rem',
    cell: (payout) => <PayoutBadge payout={payout} />,
  },
  {
    title: 'Result',
    cell: ({ failureReason, providerReference, rewards }) =>
      failureReason ? (
        FAILURE_REASONS[failureReason]
      ) : (
        <Text span inherit c="dimmed">
          {providerReference ?? countOf(rewards.length, 'line')}
        </Text>
      ),
  },
  { title: 'Method', width: '6rem', cell: ({ method }) => METHODS[method].label },
  {
    title: 'Created',
    width: '11.5rem',
    isOrdered: true,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

interface PayoutsTableProps {
  readonly list: Endless<Payout>;
  readonly empty: ReactNode;
  readonly totals?: ReactNode;
  /** On the page of a batch, where all have the same method and age. */
  readonly isOfBatch?: boolean;
}

export function PayoutsTable({ list, empty, totals, isOfBatch = false }: PayoutsTableProps) {
  const columns = isOfBatch
    ? COLUMNS.filter(({ title }) => title !== 'Method' && title !== 'Created')
    : COLUMNS;
  return (
    <DataTable
      label="Payouts"
      columns={columns}
      list={list}
      idOf={({ id }) => id}
      totals={totals}
      empty={empty}
    />
  );
}
