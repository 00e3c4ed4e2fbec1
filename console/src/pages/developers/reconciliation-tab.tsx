import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { RefreshCwIcon } from 'lucide-react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { exponentOf } from '../../ui/currencies.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { countOf, humanize } from '../../ui/words.ts';

type Compared = Row<'/v1/reconciliation'>;

const VERDICTS: Readonly<
  Record<Compared['verdict'], { tone: Tone; label: string; explanation: string }>
> = {
  even: { tone: 'good', label: 'Agrees', explanation: 'The provider has the same.' },
  differs: {
    tone: 'bad',
    label: 'Differs',
    explanation:
      'Right after a delivery, the provider’s update has usually not arrived yet: compare again later. If the difference stays, check it at the provider.',
  },
  unanswered: {
    tone: 'care',
    label: 'No answer',
    explanation: 'The provider could not be asked, usually because its account was disconnected.',
  },
};

function Amount({ minor, currency }: { minor: string | null; currency: string | null }) {
  if (minor === null) return <Text span>–</Text>;
  if (currency === null) return <span className="figure">{minor}</span>;
  return <Money amountMinor={minor} currency={currency} exponent={exponentOf(currency) ?? 2} />;
}

const COLUMNS: readonly Column<Compared>[] = [
  {
    title: 'Delivery',
    cell: ({ subject, id }) => <ThingLink type={subject} id={id} />,
  },
  { title: 'By', cell: ({ method }) => humanize(method) },
  {
    title: 'Verdict',
    width: '8rem',
    cell: ({ verdict }) => <StatusBadge {...VERDICTS[verdict]} />,
  },
  {
    title: 'We say',
    align: 'right',
    cell: (row) => <Amount minor={row.believedMinor} currency={row.currency} />,
  },
  {
    title: 'They say',
    align: 'right',
    cell: (row) => <Amount minor={row.reportedMinor} currency={row.currency} />,
  },
  {
    title: 'Difference',
    align: 'right',
    cell: (row) => <Amount minor={row.driftMinor} currency={row.currency} />,
  },
];

/** Compares deliveries with the providers' records, which are requested as the list is read. */
export function ReconciliationTab() {
  const { id: projectId } = useProject();
  const list = useEndless<Compared>(['reconciliation', projectId], (cursor, signal) =>
    answerOf(
      api.GET('/v1/reconciliation', {
        params: { query: { projectId, limit: 25, cursor: cursor ?? undefined } },
        signal,
      }),
    ).then(byCursor),
  );
  const differing = list.rows.filter(({ verdict }) => verdict === 'differs').length;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          Compares deliveries with the records of PayPal, Wise and Stripe. The providers are asked
          while you wait, page by page.
        </Text>
        <Button
          variant="default"
          leftSection={<RefreshCwIcon size={16} />}
          loading={list.isRefetching}
          onClick={() => void list.refetch()}
        >
          Ask again
        </Button>
      </Group>
      {list.rows.length > 0 && (
        <Alert variant="light" color={differing > 0 ? 'red' : 'leaf'} role="status">
          {differing > 0
            ? `${countOf(differing, 'delivery', 'deliveries')} of ${list.rows.length} compared so far ${differing === 1 ? 'differs' : 'differ'}.`
            : `${countOf(list.rows.length, 'delivery', 'deliveries')} compared so far, and no difference found.`}
        </Alert>
      )}
      <DataTable
        label="Comparison with providers"
        columns={COLUMNS}
        list={list}
        idOf={({ subject, id }) => `${subject} ${id}`}
        empty={
          <EmptyState title="Nothing to compare">
            This list has transfers by PayPal, Wise and Stripe Connect, and rewards delivered as a
            balance or discount at Stripe. Manual payouts and grants by your own product have no
            provider to ask.
          </EmptyState>
        }
      />
    </Stack>
  );
}
