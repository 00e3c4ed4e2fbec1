import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { FormDialog, useUnsaved } from '../../../ui/unsaved.tsx';
import type { Program, Rule } from '../queries.ts';
import { useSaving } from '../use-saving.ts';
import { Choice } from './choice.tsx';
import { describeTerms, nameOf } from './describe-terms.ts';
import { Meaning } from './meaning.tsx';
import { TermsFields } from './terms-fields.tsx';
import { checkTerms, NEW_TERMS, type TermsForm, toBody, toFacts } from './terms-form.ts';
import { readTermsIssues } from './terms-issues.ts';

interface NewRuleProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly program: Program;
  readonly rules: readonly Rule[];
  readonly holdDays: number | null;
}

const CUSTOM = /^custom_[A-Za-z0-9_.:-]{1,57}$/;

export function NewRule(props: NewRuleProps) {
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title="Add a rule" size="lg">
      <NewRuleForm {...props} />
    </FormDialog>
  );
}

function NewRuleForm({ onClose, program, holdDays, ...props }: NewRuleProps) {
  // The rules when the form opened. After a lost response the new rule itself would be in the list,
  // and sending it again would add a second one on top.
  const [rules] = useState(props.rules);
  const { id: programId, projectId, kind } = program;
  const [role, setRole] = useState<Rule['beneficiaryRole']>(
    kind === 'loyalty' ? 'subject' : 'referrer',
  );
  const [event, setEvent] = useState('purchase');
  const [ownEvent, setOwnEvent] = useState('custom_');
  const [name, setName] = useState('');
  const [form, setForm] = useState<TermsForm>(NEW_TERMS);
  const unsaved = useUnsaved(name !== '' || hasChanged(NEW_TERMS, form));
  const [isTried, setTried] = useState(false);
  const eventType = event === 'custom' ? ownEvent : event;
  const hasPrimary = rules.some(
    (rule) =>
      rule.purpose === 'primary' && rule.eventType === eventType && rule.beneficiaryRole === role,
  );
  const purpose = hasPrimary || form.growth === 'milestone' ? 'bonus' : 'primary';
  const rule = { eventType, beneficiaryRole: role, purpose } as const;
  const sentences = describeTerms({ kind, ...rule, holdDays }, toFacts(form, rule));
  const saving = useSaving(
    () =>
      answerOf(
        api.POST('/v1/benefit-rules', {
          body: {
            projectId,
            programId,
            ...rule,
            name: name.trim() || nameOf(sentences[0] ?? ''),
            terms: toBody(form, rule),
          },
        }),
      ),
    'The rule is added.',
    { onSaved: onClose },
  );
  const faults = checkTerms(form, rule);
  const eventFault = event === 'custom' && !CUSTOM.test(ownEvent);
  const issues = readTermsIssues(saving.error, ['name', 'eventType']);
  const errors = { ...issues.errors, ...(isTried ? faults : {}) };
  return (
    <form
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        setTried(true);
        if (Object.keys(faults).length === 0 && !eventFault) saving.mutate(undefined);
      }}
    >
      <Stack>
        {kind !== 'loyalty' && (
          <Choice
            label="Who gets it"
            value={role}
            data={[
              { value: 'referrer', label: kind === 'affiliate' ? 'The partner' : 'Who invited' },
              {
                value: 'referee',
                label: kind === 'affiliate' ? 'The customer' : 'The invited person',
              },
            ]}
            onChange={setRole}
          />
        )}
        <Select
          label="When"
          data={[
            { value: 'purchase', label: 'They buy' },
            { value: 'signup', label: 'They sign up' },
            { value: 'custom', label: 'An event of your own' },
          ]}
          allowDeselect={false}
          value={event}
          onChange={(value) => setEvent(value ?? 'purchase')}
        />
        {event === 'custom' && (
          <TextInput
            label="Type of the event"
            description="As your backend sends it."
            placeholder="custom_trial_started"
            required
            maxLength={64}
            value={ownEvent}
            error={
              isTried && eventFault
                ? 'custom_ and then letters, digits, _ . : or -'
                : issues.of('eventType')
            }
            onChange={(input) => setOwnEvent(input.currentTarget.value)}
          />
        )}
        <TermsFields
          form={form}
          onChange={(part) => setForm((old) => ({ ...old, ...part }))}
          errors={errors}
          rule={rule}
          kind={kind}
          mayBecomeBonus
        />
        <TextInput
          label="Name"
          description="For your team. If empty, it is named after what it does."
          maxLength={120}
          value={name}
          error={issues.of('name')}
          onChange={(input) => setName(input.currentTarget.value)}
        />
        <Stack gap="sm" className="sticky-foot">
          <Meaning
            sentences={
              hasPrimary
                ? [
                    ...sentences,
                    'This side already has a reward for this. The new one is added to it.',
                  ]
                : sentences
            }
            isLive
          />
          {issues.rest !== null && <ErrorState error={issues.rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={saving.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending}>
              Add the rule
            </Button>
          </Group>
        </Stack>
      </Stack>
      {unsaved.question}
    </form>
  );
}
