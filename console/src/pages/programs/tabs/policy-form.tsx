import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { readIssues } from '../../../ui/form-issues.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
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
import { useSaving } from '../use-saving.ts';
import { effectiveFrom, VersionForm } from './version-form.tsx';

interface PolicyFormProps {
  readonly program: Program;
  readonly before: PolicyChoice;
  readonly onDone: () => void;
}

export function PolicyForm({ program, before, onDone }: PolicyFormProps) {
  const { id: programId, projectId, kind } = program;
  const [choice, setChoice] = useState<PolicyText>(toText(before));
  const [effectiveAt, setEffectiveAt] = useState('');
  const unsaved = useUnsaved(effectiveAt !== '' || hasChanged(toText(before), choice));
  const policy = toPolicy(choice);
  const saving = useSaving(
    (body: PolicyChoice) => {
      return answerOf(
        api.POST('/v1/programs/{programId}/attribution-policies', {
          params: { path: { programId } },
          body: { projectId, ...body, ...effectiveFrom(effectiveAt) },
        }),
      );
    },
    'The new policy is published.',
    { onSaved: onDone },
  );
  const issues = readIssues(saving.error, ['effectiveAt']);
  return (
    <>
      <VersionForm
        effectiveAt={effectiveAt}
        onEffectiveAt={setEffectiveAt}
        issues={issues}
        isPending={saving.isPending}
        isValid={policy !== null}
        onPublish={() => policy && saving.mutate(policy)}
        onCancel={onDone}
      >
        <PolicyFields choice={choice} onChange={setChoice} kind={kind} />
      </VersionForm>
      {unsaved.question}
    </>
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
