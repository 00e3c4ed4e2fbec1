import { SegmentedControl, Stack } from '@mantine/core';
import { ShieldCheckIcon } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import '../../people/people.css';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { FilterChips } from '../../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../../ui/lists/specs.ts';
import { useListQuery } from '../../../ui/lists/use-list-query.ts';
import type { RowKeys } from '../../../ui/lists/use-row-keys.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { byCursor, useEndless } from '../../../ui/use-endless.ts';
import { useFilters } from '../../../ui/use-filters.ts';
import { useProgramFilter } from '../../people/list-filters.ts';
import { type Asked, DecisionDialog } from '../decide/decision-dialog.tsx';
import { type Review, type ReviewStatus, reviewsKey, type Signal } from '../queries.ts';
import { SIGNAL_NAMES, signalLabel } from '../words/signal-words.ts';
import { DecideSelected } from './decide-selected.tsx';
import { KeyHelp } from './key-help.tsx';
import { type Ask, queueColumns } from './queue-columns.tsx';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'all', label: 'All' },
] as const;

const SIGNAL_FILTER: FilterSpec = {
  kind: 'choice',
  name: 'signal',
  label: 'Signal',
  choices: SIGNAL_NAMES.map((value) => ({ value, label: signalLabel(value) })),
};

/** The reviews to decide, by mouse or by keys alone, and those that were decided. */
export function QueueTab() {
  const project = useProject();
  const mayDecide = useMay('rewards:write');
  const [filters, setFilters] = useFilters();
  const status = STATES.find(({ value }) => value === filters.status)?.value ?? 'open';
  const isOpen = status === 'open';
  const specs = [useProgramFilter(), SIGNAL_FILTER];
  const { programId, signal } = useListQuery(specs);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Asked | null>(null);
  /** The row's link: keys go on from there. */
  const askedFrom = useRef<Element | null>(null);
  const list = useEndless(
    [...reviewsKey(project.id), status, programId, signal],
    async (cursor, abort) => {
      const query = {
        projectId: project.id,
        limit: 100,
        ...(status === 'all' ? {} : { status: status as ReviewStatus }),
        ...(programId ? { programId } : {}),
        ...(signal ? { signal: signal as Signal } : {}),
        ...(cursor ? { cursor } : {}),
      };
      return byCursor(
        await answerOf(api.GET('/v1/risk-reviews', { params: { query }, signal: abort })),
      );
    },
  );
  const ask: Ask = useMemo(
    () => (decision, reviews) => {
      const open = reviews.filter((one) => one.status === 'open');
      if (open.length === 0) return;
      askedFrom.current = document.activeElement;
      setAsked({ decision, reviews: open });
    },
    [],
  );
  const columns = useMemo(
    () => queueColumns(isOpen, mayDecide ? ask : null),
    [isOpen, mayDecide, ask],
  );
  const keys: RowKeys<Review> = mayDecide
    ? {
        a: (review: Review) => ask('approve', [review]),
        r: (review: Review) => ask('reject', [review]),
      }
    : {};
  return (
    <Stack gap="lg">
      <FilterChips list="risk-reviews" specs={specs}>
        <SegmentedControl
          aria-label="State"
          size="xs"
          value={status}
          data={STATES.map((one) => ({ ...one }))}
          onChange={(value) => {
            setSelected(new Set());
            setFilters({ status: value === 'open' ? undefined : value });
          }}
        />
      </FilterChips>
      {mayDecide && isOpen && (
        <DecideSelected loaded={list.rows} ids={selected} onChange={setSelected} ask={ask} />
      )}
      <DataTable
        label="Reviews"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        keys={keys}
        selection={mayDecide && isOpen ? { ids: selected, onChange: setSelected } : undefined}
        empty={<Empty isOpen={isOpen} isFiltered={Boolean(programId || signal)} />}
      />
      {list.rows.length > 0 && <KeyHelp mayDecide={mayDecide && isOpen} />}
      {asked && (
        <DecisionDialog
          asked={asked}
          onClose={() => {
            setAsked(null);
            const { current } = askedFrom;
            if (current instanceof HTMLElement) requestAnimationFrame(() => current.focus());
            if (asked.reviews.length > 1) setSelected(new Set());
          }}
        />
      )}
    </Stack>
  );
}

function Empty({ isOpen, isFiltered }: { isOpen: boolean; isFiltered: boolean }) {
  const icon = <ShieldCheckIcon size={36} />;
  if (isFiltered || !isOpen) {
    return (
      <EmptyState icon={icon} title="No reviews here">
        No review matches. Choose another state or remove a filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={icon} title="Nothing to review">
      A referral is listed here when its score reaches the limit of its program’s risk policy. Its
      rewards are held until somebody decides. New programs only observe: to hold rewards, turn on
      reviews under Risk on the program’s page.
    </EmptyState>
  );
}
