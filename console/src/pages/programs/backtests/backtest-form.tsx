import { Anchor, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { FileField } from '../as-code/file-field.tsx';
import { definitionQuery, type Program } from '../queries.ts';
import type { BacktestText } from './begin-backtest.ts';
import { startOf } from './quarters.ts';
import { backtestQuery, backtestsKey } from './queries.ts';

interface BacktestFormProps {
  readonly program: Program;
  /** What the fields begin with. */
  readonly first: BacktestText;
  readonly onStarted: (backtestId: string) => void;
}

/** Asks for a back-test of a time with a definition. */
export function BacktestForm({ program, first, onStarted }: BacktestFormProps) {
  const { id: programId, projectId } = program;
  const queryClient = useQueryClient();
  const [text, setText] = useState(first);
  const change = (part: Partial<BacktestText>) => setText((before) => ({ ...before, ...part }));
  const inForce = useQuery(definitionQuery(projectId, programId));
  const { submit, isBusy, error } = useSubmit(async () => {
    const body = {
      projectId,
      programId,
      from: startOf(text.from),
      to: startOf(text.to),
      ...(text.definition.trim() === '' ? {} : { definition: text.definition }),
    };
    const { data } = await answerOf(api.POST('/v1/backtests', { body }));
    // It is shown as soon as it is in the address, without an empty page in between.
    await queryClient.prefetchQuery(backtestQuery(projectId, data.id));
    void queryClient.invalidateQueries({ queryKey: backtestsKey(projectId), exact: true });
    onStarted(data.id);
  }, JSON.stringify(text));
  return (
    <Section
      title="Try on the past"
      intro={
        <>
          What the program would have cost with another definition, event by event:{' '}
          <Anchor href="/docs/backtests" target="_blank" inherit underline="always">
            Back-tests
          </Anchor>
          .
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640}>
            <TextInput
              label="From"
              description="The first day (UTC)"
              type="date"
              required
              value={text.from}
              onChange={(event) => change({ from: event.currentTarget.value })}
            />
            <TextInput
              label="To"
              description="Up to this day, not included (UTC)"
              type="date"
              required
              value={text.to}
              onChange={(event) => change({ to: event.currentTarget.value })}
            />
          </SimpleGrid>
          <FileField
            label="The definition to try"
            description="YAML or JSON. What it leaves out keeps its current value. If empty, the past is decided again by its own terms, which should change nothing."
            inForce={inForce.data?.file}
            value={text.definition}
            onChange={(definition) => change({ definition })}
          />
          <Group>
            <Button type="submit" loading={isBusy}>
              Start
            </Button>
          </Group>
          {error !== null && <ErrorState error={error} />}
        </Stack>
      </form>
    </Section>
  );
}
