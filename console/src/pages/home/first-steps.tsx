import { Anchor, Button, Group, List, Progress, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CheckIcon, DotIcon, PartyPopperIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** For a project without any program. */
export function FirstSteps() {
  const { id: projectId } = useProject();
  const mayCreate = useMay('programs:write');
  return (
    <EmptyState
      icon={<PartyPopperIcon size={40} />}
      title="Create your first link"
      action={
        mayCreate && (
          <Button
            component={Link}
            to="/p/$projectId/programs/new"
            params={{ projectId } as never}
            size="md"
          >
            Set up a program
          </Button>
        )
      }
    >
      {mayCreate
        ? 'Define what people earn for referring others and where their links lead. It takes a few minutes, and nothing is sent to anyone.'
        : 'There is no program here yet. An owner or admin can set one up.'}
    </EmptyState>
  );
}

type StepName = Row<'/v1/first-steps'>['step'];

interface StepWords {
  readonly label: string;
  readonly meaning: string;
  /** Below the project. */
  readonly to: string;
  readonly tab?: string;
}

const STEPS: Record<StepName, StepWords> = {
  program: {
    label: 'Create the first program',
    meaning: 'It says what people earn and where their links lead.',
    to: 'programs/new',
  },
  api_key: {
    label: 'Make an API key',
    meaning: 'Your backend proves itself with it.',
    to: 'developers',
    tab: 'keys',
  },
  source: {
    label: 'Register your product as a source',
    meaning: 'Events name the source that they come from.',
    to: 'developers',
    tab: 'sources',
  },
  landing_script: {
    label: 'Put the landing script on your page',
    meaning: 'It remembers whose link a visitor followed.',
    to: 'developers',
    tab: 'start',
  },
  first_click: {
    label: 'Follow a link',
    meaning: 'Open a program, make a link of your own and try it.',
    to: 'programs',
  },
  first_event: {
    label: 'Send the first event',
    meaning: 'With the API key, your backend reports a sign-up or a purchase.',
    to: 'events',
  },
  first_signup: {
    label: 'See the first sign-up',
    meaning: 'Sign up in your product after you followed a link.',
    to: 'referrals',
  },
  delivery: {
    label: 'Decide how rewards arrive',
    meaning: 'A webhook tells your product of each reward, or the service pays out cash.',
    to: 'webhooks',
  },
  widget: {
    label: 'Prepare the widget',
    meaning: 'With a widget secret, your customers see their link and what they earned.',
    to: 'developers',
    tab: 'widget-secrets',
  },
};

/** Ticks itself, and goes when everything is done or the user hides it. */
export function Checklist() {
  const { id: projectId } = useProject();
  // Most of its steps are for those who set the project up.
  const maySetUp = useMay('programs:write');
  const place = `goodword-first-steps-hidden-${projectId}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(place) !== null);
  const { data } = useQuery({
    queryKey: ['first-steps', projectId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/first-steps', { params: { query: { projectId } }, signal })))
        .data,
    enabled: maySetUp && !isHidden,
  });
  const left = data?.filter(({ isDone }) => !isDone).length ?? 0;
  if (isHidden || !data || left === 0) return null;
  const hide = () => {
    localStorage.setItem(place, 'true');
    setHidden(true);
  };
  return (
    <Section
      title="Get started"
      intro={`${data.length - left} of ${data.length} steps are done.`}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={hide}>
          Hide
        </Button>
      }
    >
      <Progress value={((data.length - left) / data.length) * 100} size="sm" aria-hidden />
      <List spacing="sm" listStyleType="none" center={false}>
        {data.map(({ step, isDone }) => (
          <List.Item key={step} icon={<Mark isDone={isDone} />}>
            <StepText step={step} isDone={isDone} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  return (
    <ThemeIcon size={22} radius="xl" variant={isDone ? 'filled' : 'default'}>
      {isDone ? <CheckIcon size={14} aria-label="Done" /> : <DotIcon size={14} aria-hidden />}
    </ThemeIcon>
  );
}

function StepText({ step, isDone }: { step: StepName; isDone: boolean }) {
  const { id: projectId } = useProject();
  const { label, meaning, to, tab } = STEPS[step];
  if (isDone) {
    return (
      <Text span c="dimmed">
        {label}
      </Text>
    );
  }
  return (
    <Group gap={6}>
      <Anchor
        component={Link}
        underline="always"
        to={`/p/$projectId/${to}` as never}
        params={{ projectId } as never}
        search={(tab ? { tab } : {}) as never}
      >
        {label}
      </Anchor>
      <Text span size="sm" c="dimmed">
        {meaning}
      </Text>
    </Group>
  );
}
