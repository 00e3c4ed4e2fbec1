import '../backtests/backtests.css';
import { Anchor, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useFilters } from '../../../ui/use-filters.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { BacktestView } from '../backtests/backtest-view.tsx';
import { lastQuarter, startOf } from '../backtests/last-quarter.ts';
import { definitionQuery, type Program, useProjectNow } from '../queries.ts';

/** Tries another definition of the program on the past. */
export default function BacktestsTab({ program }: { program: Program }) {
  const { id: programId, projectId } = program;
  const [filters, setFilters] = useFilters();
  const now = useProjectNow();
  const [time, setTime] = useState(() => lastQuarter(now));
  const [text, setText] = useState('');
  const definition = useQuery(definitionQuery(projectId, programId));
  const { submit, isBusy, error } = useSubmit(async () => {
    const body = {
      projectId,
      programId,
      from: startOf(time.from),
      to: startOf(time.to),
      ...(text.trim() === '' ? {} : { definition: text }),
    };
    const { data } = await answerOf(api.POST('/v1/backtests', { body }));
    setFilters({ backtest: data.id }, { isStep: true });
  });
  const { backtest } = filters;
  return (
    <>
      <Section
        title="Try on the past"
        intro={
          <>
            What the program would have cost with another definition, decided event by event:{' '}
            <Anchor href="/docs/backtests" target="_blank" inherit underline="always">
              Back-tests
            </Anchor>
            .
          </>
        }
      >
        <form onSubmit={submit}>
          <Stack>
            <Group grow align="flex-start" preventGrowOverflow={false}>
              <TextInput
                label="From"
                description="Events that occurred from this day on (UTC)"
                type="date"
                miw={200}
                value={time.from}
                onChange={(event) => setTime({ ...time, from: event.currentTarget.value })}
              />
              <TextInput
                label="To"
                description="Up to this day, which is not included"
                type="date"
                miw={200}
                value={time.to}
                onChange={(event) => setTime({ ...time, to: event.currentTarget.value })}
              />
            </Group>
            <Textarea
              className="yaml-editor"
              label="The definition to try"
              description="YAML or JSON. If empty, what was in force is decided again and must differ in nothing."
              autosize
              minRows={4}
              maxRows={20}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Group>
              <Button type="submit" loading={isBusy}>
                Start
              </Button>
              <Button
                variant="default"
                disabled={!definition.data}
                onClick={() => setText(definition.data?.file ?? '')}
              >
                Begin with what is in force
              </Button>
            </Group>
            {error !== null && <ErrorState error={error} />}
          </Stack>
        </form>
      </Section>
      {backtest !== undefined && (
        <BacktestView key={backtest} projectId={projectId} id={backtest} />
      )}
    </>
  );
}
