import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useProject } from '../../app/project.ts';
import { ExportLink } from '../../ui/export-link.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { PayoutsTable, usePayouts } from './payouts-table.tsx';
import { METHODS, PAYOUT_STATE_CHOICES } from './states.ts';

const choices = (table: Readonly<Record<string, { readonly label: string }>>) =>
  Object.entries(table).map(([value, { label }]) => ({ value, label }));

export function PayoutsTab() {
  const project = useProject();
  const [filters, setFilters] = useFilters();
  const { status, method, currency } = filters;
  const list = usePayouts({ status, method, currency });
  const setCurrency = useDebouncedCallback((text: string) => {
    const code = text.trim().toUpperCase();
    if (code === '' || code.length === 3) setFilters({ currency: code || undefined });
  }, 300);
  const isNarrowed = Boolean(status || method || currency);
  return (
    <Stack>
      <div className="filters">
        <Select
          label="State"
          placeholder="Any"
          clearable
          data={PAYOUT_STATE_CHOICES}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value ?? undefined })}
        />
        <Select
          label="Method"
          placeholder="Any"
          clearable
          data={choices(METHODS)}
          value={method ?? null}
          onChange={(value) => setFilters({ method: value ?? undefined })}
        />
        <TextInput
          label="Currency"
          placeholder="USD"
          maxLength={3}
          w={100}
          defaultValue={currency ?? ''}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
        <ExportLink list="payouts" filters={{ status, method, currency }} />
        <Button
          variant="default"
          component={Link}
          to="/p/$projectId/integrations"
          params={{ projectId: project.id } as never}
          search={{ tab: 'reconciliation' } as never}
        >
          Compare with providers
        </Button>
      </div>
      <PayoutsTable
        list={list}
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
