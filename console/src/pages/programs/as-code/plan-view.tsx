import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import { useMay } from '../../../app/session.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Section } from '../../../ui/section.tsx';
import { When } from '../../../ui/when.tsx';
import { FileDiff } from './file-diff.tsx';

export type Plan = Answer<'/v1/program-plans', 'post'>['data'];
type Action = Plan['changes'][number]['action'];

const ACTIONS: Readonly<Record<Action, { readonly label: string; readonly color: string }>> = {
  create: { label: 'Create', color: 'leaf' },
  publish: { label: 'Publish', color: 'blue' },
  change: { label: 'Change', color: 'orange' },
  end: { label: 'End', color: 'red' },
  none: { label: 'Stays', color: 'gray' },
};

interface PlanViewProps {
  readonly projectId: string;
  readonly plan: Plan;
  readonly onApplied: () => void;
}

/** What a file would change, in sentences and as lines, and the button that does it. */
export function PlanView({ projectId, plan, onApplied }: PlanViewProps) {
  const [isAsking, { open, close }] = useDisclosure();
  const mayApply = useMay('programs:write');
  const { planId, changes, isEmpty, inForce, file, expiresAt } = plan;
  const count = changes.filter(({ action }) => action !== 'none').length;
  const counted = count === 1 ? '1 change' : `${count} changes`;
  return (
    <Section
      title={isEmpty ? 'Nothing to do' : counted}
      intro={
        isEmpty
          ? 'The program is what the file says.'
          : 'Nothing is changed yet. All of this is done at once, or none of it.'
      }
      actions={!isEmpty && mayApply && <Button onClick={open}>Apply {counted}</Button>}
    >
      {changes.length > 0 && <ChangeList changes={changes} />}
      {!isEmpty && inForce !== null && <FileDiff before={inForce} after={file} />}
      {!isEmpty && (
        <Text size="sm" c="dimmed">
          The plan expires <When clock="real" at={expiresAt} />, or when the program changes.
          {!mayApply && ' Applying it needs the permission programs:write.'}
        </Text>
      )}
      <Confirm
        opened={isAsking}
        onClose={close}
        title="Apply the changes?"
        action={`Apply ${counted}`}
        onConfirm={() =>
          answerOf(
            api.POST('/v1/program-plans/{planId}/apply', {
              params: { path: { planId } },
              body: { projectId },
            }),
          )
        }
        onDone={onApplied}
      >
        <Stack gap="xs">
          <Text>
            New versions apply to events from now on. Rewards that were earned before keep their
            terms.
          </Text>
          <ChangeList changes={changes.filter(({ action }) => action !== 'none')} />
        </Stack>
      </Confirm>
    </Section>
  );
}

function ChangeList({ changes }: { changes: Plan['changes'] }) {
  return (
    <ul className="plan-changes">
      {changes.map(({ action, path, sentence }) => (
        <li key={`${action} ${path}`}>
          <Group>
            <Badge color={ACTIONS[action].color} variant="light">
              {ACTIONS[action].label}
            </Badge>
          </Group>
          <Text size="sm">{sentence}</Text>
        </li>
      ))}
    </ul>
  );
}
