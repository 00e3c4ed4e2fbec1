import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import {
  describePolicy,
  type PolicyChoice,
  type PolicyText,
  toPolicy,
  toText,
} from '../policy-words.ts';
import type { Program, ProgramKind } from '../queries.ts';
import { Choice } from '../terms/choice.tsx';
import { Meaning } from '../terms/meaning.tsx';
import { VersionForm } from './version-form.tsx';

interface PolicyFormProps {
  readonly program: Program;
  readonly before: PolicyChoice;
  readonly newest: number;
  readonly onDone: () => void;
}

export function PolicyForm({ program, before, newest, onDone }: PolicyFormProps) {
  const { id: programId, projectId, kind } = program;
  const [choice, setChoice] = useState<PolicyText>(toText(before));
  return (
    <VersionForm
      version={toPolicy(choice)}
      newest={newest}
      isChanged={hasChanged(toText(before), choice)}
      publish={(policy) =>
        answerOf(
          api.POST('/v1/programs/{programId}/attribution-policies', {
            params: { path: { programId } },
            body: { projectId, ...policy },
          }),
        )
      }
      done="The new policy is published."
      onClose={onDone}
    >
      {() => <PolicyFields choice={choice} onChange={setChoice} kind={kind} />}
    </VersionForm>
  );
}

interface PolicyFieldsProps {
  readonly choice: PolicyText;
  readonly onChange: (choice: PolicyText) => void;
  readonly kind: ProgramKind;
  /** Whether its meaning is shown below. */
  readonly hasMeaning?: boolean;
}

export function PolicyFields({ choice, onChange, kind, hasMeaning = true }: PolicyFieldsProps) {
  const policy = toPolicy(choice);
  return (
    <>
      <Choice
        label="If somebody followed several links"
        value={choice.model}
        data={[
          { value: 'last_touch', label: 'The last one counts' },
          { value: 'first_touch', label: 'The first one counts' },
        ]}
        onChange={(model) => onChange({ ...choice, model })}
      />
      <TextInput
        label="How long a click counts (days)"
        inputMode="numeric"
        required
        maw={280}
        value={choice.windowDays}
        error={policy ? undefined : 'A whole number from 1 to 365'}
        onChange={(event) => onChange({ ...choice, windowDays: event.currentTarget.value })}
      />
      <Choice
        label="What binds the referral"
        value={choice.bindingTrigger}
        data={[
          { value: 'signup', label: 'Signing up' },
          { value: 'subscription', label: 'Starting a subscription' },
        ]}
        onChange={(bindingTrigger) => onChange({ ...choice, bindingTrigger })}
      />
      {policy && hasMeaning && <Meaning sentences={[describePolicy(policy, kind)]} isLive />}
    </>
  );
}
