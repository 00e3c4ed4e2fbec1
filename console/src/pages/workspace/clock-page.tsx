import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CalendarClockIcon } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, Lines } from '../../ui/states.tsx';
import { forwardChoices, spanText } from './clock-choices.ts';
import { SetClock } from './set-clock.tsx';
import { useClock, useHolds } from './use-clock.ts';

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' });

/** Moves a sandbox project's clock forward, to see what becomes due. */
export function ClockPage() {
  const project = useProject();
  if (project.environment === 'sandbox') return <SandboxClock />;
  return (
    <Page title="Test clock">
      <EmptyState icon={<CalendarClockIcon size={36} />} title="Live projects run on real time">
        Create a sandbox project to try out holds, attribution windows and the end of programs.
      </EmptyState>
    </Page>
  );
}

function SandboxClock() {
  const { clock, now, error, refetch } = useClock();
  const maySet = useMay('programs:write');
  return (
    <Page
      title="Test clock"
      intro="This project has its own clock for holds, attribution windows, durations and dates. Move it forward to see what becomes due."
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      <Section title="Now in this project">
        {clock && now !== null ? (
          <Stack gap="xs">
            <Text size="xl" fw={650} className="figure">
              <time dateTime={new Date(now).toISOString()}>{moment.format(now)}</time>
            </Text>
            <Facts
              rows={[
                [
                  'Against real time',
                  clock.offsetMs === 0 ? 'The same' : `${spanText(clock.offsetMs)} ahead`,
                ],
              ]}
            />
          </Stack>
        ) : (
          <Lines count={2} height={28} />
        )}
      </Section>
      {maySet && now !== null && <Forward now={now} />}
    </Page>
  );
}

function Forward({ now }: { now: number }) {
  const holds = useHolds();
  const [target, setTarget] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const isPast = typed !== null && Date.parse(typed) <= now;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed && !isPast) setTarget(typed);
  };
  return (
    <Section
      title="Set it forward"
      intro="Everything that becomes due is processed before the clock is set: purchases that waited for a signup, holds, ends of programs."
    >
      <Alert color="orange" title="This cannot be undone">
        The clock only moves forward. Create a new sandbox project to start over.
      </Alert>
      <Group gap="xs">
        {forwardChoices(holds, now).map(({ label, to }) => (
          <Button key={label} variant="default" onClick={() => setTarget(to(now))}>
            {label}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <DateTimeInput
            label="Or to a moment of your choice"
            value={typed}
            onChange={setTyped}
            error={isPast ? 'It must be later than now.' : undefined}
          />
          <Button type="submit" variant="default" disabled={!typed || isPast}>
            Set
          </Button>
        </Group>
      </form>
      {target && <SetClock from={now} to={target} onClose={() => setTarget(null)} />}
    </Section>
  );
}
