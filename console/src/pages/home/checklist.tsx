import {
  Accordion,
  ActionIcon,
  Button,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  ThemeIcon,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CheckIcon, DotIcon, XIcon } from 'lucide-react';
import { type CSSProperties, useRef, useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay, useSession } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { useSnippetFacts } from '../developers/use-snippet-facts.ts';
import { codeOf, STEPS, type StepName } from './checklist-steps.ts';
import { type ChecklistView, readChoice, saveChoice, viewOf } from './checklist-view.ts';

type Step = Row<'/v1/first-steps'>;

/** What is done elsewhere is ticked within this time. */
const REFETCH_MS = 10_000;

/** Ticks itself. Once all is done it is one line, which each user can dismiss. */
export default function Checklist() {
  const { id: projectId } = useProject();
  const { user } = useSession();
  // Most of its steps are for those who set the project up.
  const maySetUp = useMay('programs:write');
  const owner = { userId: user.id, projectId };
  const [chosen, setChosen] = useState(() => readChoice(user.id, projectId));
  const { data } = useQuery({
    queryKey: ['first-steps', projectId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/first-steps', { params: { query: { projectId } }, signal })))
        .data,
    enabled: maySetUp && chosen?.view !== 'nothing',
    refetchInterval: ({ state }) =>
      state.data?.some(({ isDone }) => !isDone) ? REFETCH_MS : false,
  });
  const wasMostlyDone = useRef<boolean | null>(null);
  if (!maySetUp || !data) return null;
  const isDone = data.every((one) => one.isDone);
  // It does not fold up while somebody works through it.
  wasMostlyDone.current ??= countDone(data) > data.length / 2;
  const view = viewOf(chosen, isDone, wasMostlyDone.current);
  const choose = (next: ChecklistView) => {
    saveChoice(owner, next, isDone);
    setChosen({ view: next, wasDone: isDone });
  };
  if (view === 'nothing') return null;
  return view === 'line' ? (
    <OneLine steps={data} onChoose={choose} />
  ) : (
    <Steps steps={data} onChoose={choose} />
  );
}

interface ViewProps {
  readonly steps: readonly Step[];
  readonly onChoose: (view: ChecklistView) => void;
}

const countDone = (steps: readonly Step[]) => steps.filter(({ isDone }) => isDone).length;

function OneLine({ steps, onChoose }: ViewProps) {
  const done = countDone(steps);
  const isDone = done === steps.length;
  return (
    <Paper withBorder px="md" py="xs" component="section" aria-label="Get started">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          {isDone ? <Mark isDone /> : <Ring share={done / steps.length} />}
          <Text size="sm">
            {isDone
              ? 'You are set up: all steps are done.'
              : `Get started: ${done} of ${steps.length} steps are done.`}
          </Text>
        </Group>
        <Group gap={4} wrap="nowrap">
          <Button variant="subtle" size="compact-sm" onClick={() => onChoose('steps')}>
            Show
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Dismiss the first steps"
            onClick={() => onChoose('nothing')}
          >
            <XIcon size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </Paper>
  );
}

function Steps({ steps, onChoose }: ViewProps) {
  const done = countDone(steps);
  // What is above the list leads to the first program.
  const [opened, setOpened] = useState<string | null>(
    () => steps.find(({ step, isDone }) => !isDone && step !== 'program')?.step ?? null,
  );
  return (
    <Section
      title="Get started"
      intro={`${done} of ${steps.length} steps are done. Each is ticked once it has happened.`}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => onChoose('line')}>
          Collapse
        </Button>
      }
    >
      <Progress value={(done / steps.length) * 100} size="sm" aria-hidden />
      <Accordion value={opened} onChange={setOpened} chevronPosition="right" order={3}>
        {steps.map(({ step, isDone }) => (
          <Accordion.Item key={step} value={step}>
            <Accordion.Control icon={<Mark isDone={isDone} />}>
              <Text span c={isDone ? 'dimmed' : undefined} fw={isDone ? 400 : 600}>
                {STEPS[step].label}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>{opened === step && <StepHelp step={step} />}</Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}

/** How much is done. The text beside it says the same. */
function Ring({ share }: { share: number }) {
  return (
    <span
      className="share-ring"
      style={{ '--share': `${share * 100}%` } as CSSProperties}
      aria-hidden="true"
    />
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  return (
    <ThemeIcon size={22} radius="xl" variant={isDone ? 'filled' : 'default'}>
      {isDone ? <CheckIcon size={14} aria-label="Done" /> : <DotIcon size={14} aria-hidden />}
    </ThemeIcon>
  );
}

function StepHelp({ step }: { step: StepName }) {
  const { id: projectId } = useProject();
  const { facts } = useSnippetFacts();
  const { help, link } = STEPS[step];
  return (
    <Stack gap="sm">
      <Text size="sm" maw={640}>
        {help}
      </Text>
      {codeOf(step, facts).map(({ label, code }) => (
        <Snippet key={label} label={label} code={code} />
      ))}
      <Group>
        <Button
          component={Link}
          variant="default"
          size="xs"
          to={`/p/$projectId/${link.to}` as never}
          params={{ projectId } as never}
          search={(link.tab ? { tab: link.tab } : {}) as never}
        >
          {link.label}
        </Button>
      </Group>
    </Stack>
  );
}
