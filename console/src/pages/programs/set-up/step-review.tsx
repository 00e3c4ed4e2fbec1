import { Alert, List, Loader, Stack, Switch, Text, ThemeIcon } from '@mantine/core';
import { CheckIcon, DotIcon } from 'lucide-react';
import { ErrorState } from '../../../ui/states.tsx';
import { describePolicy, toPolicy } from '../policy-words.ts';
import { KINDS } from '../program-words.ts';
import type { Task } from './plan.ts';
import type { StepProps } from './step-props.ts';

interface StepReviewProps extends StepProps {
  readonly plan: readonly Task[];
  readonly done: readonly string[];
  readonly isRunning: boolean;
  readonly error: unknown;
}

/** The whole draft in sentences, and the progress while it is created. */
export function StepReview(props: StepReviewProps) {
  const { draft, onChange, plan, done, isRunning, error } = props;
  const next = plan.find(({ id }) => !done.includes(id));
  const policy = toPolicy(draft.policy);
  const hasPolicyTask = plan.some(({ type }) => type === 'policy');
  return (
    <Stack maw={760}>
      <Text>
        “{draft.name.trim()}” is {draft.kind === 'referral' ? 'a' : 'an'}{' '}
        {KINDS[draft.kind].label.toLowerCase()} program. {KINDS[draft.kind].meaning}
        {draft.kind !== 'loyalty' && ` Its links lead to ${draft.landingPageUrl.trim()}.`}
        {policy &&
          draft.kind !== 'loyalty' &&
          !hasPolicyTask &&
          ` ${describePolicy(policy, draft.kind)}`}
      </Text>
      <Text fw={600}>This will be created:</Text>
      <List spacing="sm" center={false}>
        {plan.map((task) => (
          <List.Item
            key={task.id}
            icon={<Mark isDone={done.includes(task.id)} isNow={isRunning && task === next} />}
          >
            {task.label}
            {done.includes(task.id) && (
              <Text span c="dimmed">
                {' '}
                (made)
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      <Switch
        label="Activate it right away"
        description="Otherwise it stays a draft, and nothing counts until you activate it."
        checked={draft.activates}
        disabled={isRunning || done.includes('status')}
        onChange={(event) => onChange({ activates: event.currentTarget.checked })}
      />
      {error !== null && (
        <>
          {done.length > 0 && (
            <Alert color="blue" title={`Created so far: ${done.length} of ${plan.length}`}>
              Nothing is lost. Continue below: what is already created is kept and not created
              again.
            </Alert>
          )}
          <ErrorState error={error} />
        </>
      )}
    </Stack>
  );
}

function Mark({ isDone, isNow }: { isDone: boolean; isNow: boolean }) {
  if (isNow) return <Loader size={20} aria-label="Being made" />;
  return (
    <ThemeIcon size={22} radius="xl" variant={isDone ? 'filled' : 'default'}>
      {isDone ? <CheckIcon size={14} aria-label="Created" /> : <DotIcon size={14} aria-hidden />}
    </ThemeIcon>
  );
}
