import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import { ListTotal } from '../../ui/lists/list-total.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { useListQuery, useOrder } from '../../ui/lists/use-list-query.ts';
import { EmptyState } from '../../ui/states.tsx';
import { type PayoutFilters, PayoutsTable, usePayouts } from './payouts-table.tsx';
import { METHODS, PAYOUT_STATE_CHOICES } from './states.ts';

const CURRENCY = /^[A-Z]{3}$/;

const FILTERS: readonly FilterSpec[] = [
  { kind: 'choice', name: 'status', label: 'State', choices: PAYOUT_STATE_CHOICES },
  {
    kind: 'choice',
    name: 'method',
    label: 'Method',
    choices: Object.entries(METHODS).map(([value, { label }]) => ({ value, label })),
  },
  {
    kind: 'text',
    name: 'currency',
    label: 'Currency',
    placeholder: 'USD',
    maxLength: 3,
    read: (typed) => (CURRENCY.test(typed.toUpperCase()) ? typed.toUpperCase() : null),
    hint: 'Three letters, such as USD.',
  },
];

export function PayoutsTab() {
  const project = useProject();
  const given = useListQuery(FILTERS);
  const order = useOrder();
  const list = usePayouts({ ...given, order });
  const isNarrowed = Object.values(given).some(Boolean);
  const totals = (
    <ListTotal
      queryKey={['payouts', project.id, 'totals', given]}
      load={async (signal) => {
        const query = { projectId: project.id, ...(given as PayoutFilters) };
        return (await answerOf(api.GET('/v1/payouts/totals', { params: { query }, signal }))).data;
      }}
      one="payout"
      note={given.status ? undefined : 'in all states, failed ones too'}
    />
  );
  return (
    <Stack>
      <FilterChips
        list="payouts"
        specs={FILTERS}
        actions={
          <>
            <ExportLink list="payouts" filters={given} />
            <Button
              variant="default"
              component={Link}
              to="/p/$projectId/integrations"
              params={{ projectId: project.id } as never}
              search={{ tab: 'reconciliation' } as never}
            >
              Compare with providers
            </Button>
          </>
        }
      />
      <PayoutsTable
        list={list}
        totals={totals}
        empty={
          <EmptyState title={isNarrowed ? 'No payout matches' : 'No payouts yet'}>
            {isNarrowed
              ? 'Remove a filter to see more.'
              : 'A payout is one transfer to one person in one currency. Payouts are created with a batch.'}
          </EmptyState>
        }
      />
    </Stack>
  );
}
