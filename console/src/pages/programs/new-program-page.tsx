import './programs.css';
import { Button, Group, Progress, Stack, Stepper, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useProject } from '../../app/project.ts';
import { useMay, useMayAdminister } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { faultOf, rolesOf, type Step, stepsOf } from './set-up/draft.ts';
import { missingOrigin, planOf } from './set-up/plan.ts';
import { StepDelivery } from './set-up/step-delivery.tsx';
import { StepDone } from './set-up/step-done.tsx';
import { StepEarn } from './set-up/step-earn.tsx';
import { StepKind } from './set-up/step-kind.tsx';
import { StepLinks } from './set-up/step-links.tsx';
import { StepReview } from './set-up/step-review.tsx';
import { type SetUp, useSetUp } from './set-up/use-set-up.ts';

const LABELS: Record<Step, string> = {
  kind: 'Kind',
  earn: 'Rewards',
  delivery: 'Delivery',
  links: 'Links',
  review: 'Review',
  done: 'First link',
};
const HEADINGS: Record<Step, string> = {
  kind: 'What kind of program?',
  earn: 'What do people earn?',
  delivery: 'How do rewards reach people?',
  links: 'Where do links lead?',
  review: 'Is everything right?',
  done: 'Done',
};

export function NewProgramPage() {
  const mayWrite = useMay('programs:write');
  return mayWrite ? (
    <SetUpPage />
  ) : (
    <Page title="New program">
      <EmptyState title="Your role does not include this">
        Only owners and admins can create programs. Ask one of them.
      </EmptyState>
    </Page>
  );
}

function SetUpPage() {
  const project = useProject();
  const { step: asked } = useSearch({ strict: false });
  const setUp = useSetUp(project, asked === 'done');
  const { draft, progress, isRunning } = setUp;
  const mayAdminister = useMayAdminister();
  const allowedOrigins = mayAdminister ? project.allowedOrigins : null;
  const plan = planOf(draft, { allowedOrigins, environment: project.environment });
  const { step, steps, go } = useStep(setUp);
  const [tried, setTried] = useState<Step | null>(null);
  const navigate = useNavigate();
  const place = steps.indexOf(step);
  const fault = faultOf(step, draft, project.environment);

  const next = async () => {
    setTried(step);
    if (fault !== null) return;
    if (step !== 'review') return go(steps[place + 1] ?? 'review');
    if (await setUp.make(plan)) go('done');
  };
  const finish = async () => {
    const { programId } = progress;
    await navigate({
      to: '/p/$projectId/programs/$programId',
      params: { projectId: project.id, programId },
    } as never);
    setUp.startOver();
  };
  const props = {
    draft,
    onChange: setUp.change,
    isLocked: progress.programId !== null,
    isTried: tried === step,
  };
  return (
    <Page title="New program" intro="Create your first link in a few minutes.">
      <Stepper active={place} size="sm" visibleFrom="sm" allowNextStepsSelect={false} aria-hidden>
        {steps.map((one) => (
          <Stepper.Step
            key={one}
            label={one === 'done' && draft.kind !== 'referral' ? 'Done' : LABELS[one]}
          />
        ))}
      </Stepper>
      <Stack gap={6} hiddenFrom="sm" aria-hidden>
        <Progress value={((place + 1) / steps.length) * 100} size="sm" />
      </Stack>
      <div>
        <Text size="sm" c="dimmed">
          Step {place + 1} of {steps.length}
        </Text>
        <Text component="h2" className="step-title" tabIndex={-1} id="step-title">
          {HEADINGS[step]}
        </Text>
      </div>
      {props.isLocked && step !== 'done' && (
        <Text size="sm">
          The program itself is made. What is made stands; you can change it on its page later.
        </Text>
      )}
      {step === 'kind' && <StepKind {...props} />}
      {step === 'earn' && (
        <StepEarn
          {...props}
          made={rolesOf(draft.kind).filter((role) => progress.done.includes(`rule-${role}`))}
        />
      )}
      {step === 'delivery' && (
        <StepDelivery {...props} isMade={progress.done.includes('delivery')} />
      )}
      {step === 'links' && <StepLinks {...props} origin={missingOrigin(draft, allowedOrigins)} />}
      {step === 'review' && (
        <StepReview
          {...props}
          plan={plan}
          done={progress.done}
          isRunning={isRunning}
          error={setUp.error}
        />
      )}
      {step === 'done' && progress.programId && (
        <StepDone programId={progress.programId} isActive={progress.done.includes('status')} />
      )}
      {tried === step && fault !== null && (
        <Text c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      <Group>
        {place > 0 && step !== 'done' && (
          <Button
            variant="default"
            disabled={isRunning}
            onClick={() => go(steps[place - 1] ?? 'kind')}
          >
            Back
          </Button>
        )}
        {step === 'done' ? (
          <Button onClick={() => void finish()}>Go to the program</Button>
        ) : (
          <Button onClick={() => void next()} loading={isRunning}>
            {step !== 'review'
              ? 'Continue'
              : progress.done.length > 0
                ? 'Continue creating it'
                : 'Create'}
          </Button>
        )}
        {props.isLocked && step !== 'done' && (
          <Button variant="subtle" disabled={isRunning} onClick={setUp.startOver}>
            Leave it as it is and create another one
          </Button>
        )}
      </Group>
    </Page>
  );
}

/** The step in the address, limited by the first unanswered one. */
function useStep({ draft, isFinished }: SetUp) {
  const { environment } = useProject();
  const { step: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const steps = stepsOf(draft.kind);
  const firstOpen = steps.findIndex((one) => faultOf(one, draft, environment) !== null);
  const last = firstOpen < 0 ? steps.length - 2 : firstOpen;
  const place = Math.min(Math.max(steps.indexOf((asked ?? 'kind') as Step), 0), last);
  const step = isFinished ? 'done' : (steps[place] ?? 'kind');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step begins at its title
  useEffect(() => {
    if (asked === undefined) return;
    document.getElementById('step-title')?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [step]);
  const go = (next: Step) => void navigate({ to: '.', search: { step: next } } as never);
  return { step, steps, go };
}
