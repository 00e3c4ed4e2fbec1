import { Button, Divider, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { FormDialog, useUnsaved } from '../../../ui/unsaved.tsx';
import { TriedTerms, useTryTerms } from '../backtests/try-terms.tsx';
import type { Rule, TermsVersion } from '../queries.ts';
import { Outdated, useSeenVersion } from '../seen-version.tsx';
import { useSaving } from '../use-saving.ts';
import { describeTerms, type RuleFacts } from './describe-terms.ts';
import { Meaning } from './meaning.tsx';
import { TermsFields } from './terms-fields.tsx';
import { checkTerms, type TermsForm, toBody, toFacts, toForm } from './terms-form.ts';
import { readTermsIssues } from './terms-issues.ts';

interface PublishTermsProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly rule: Rule;
  readonly facts: RuleFacts;
  /** The version to start from. */
  readonly before: TermsVersion;
}

/** The next version of a rule's terms; its meaning is shown while it is typed. */
export function PublishTerms(props: PublishTermsProps) {
  const { opened, onClose, rule } = props;
  return (
    <FormDialog opened={opened} onClose={onClose} title={`New terms for “${rule.name}”`} size="lg">
      <PublishForm {...props} />
    </FormDialog>
  );
}

function PublishForm({ onClose, rule, facts, before }: PublishTermsProps) {
  const { id: ruleId, projectId } = rule;
  const [form, setForm] = useState<TermsForm>(() => toForm(before));
  const unsaved = useUnsaved(hasChanged(toForm(before), form));
  const [isChecked, setChecked] = useState(false);
  const change = (part: Partial<TermsForm>) => setForm((old) => ({ ...old, ...part }));
  const seen = useSeenVersion(before.version);
  const saving = useSaving(
    () =>
      seen.send((afterVersion) =>
        answerOf(
          api.POST('/v1/benefit-rules/{ruleId}/terms', {
            params: { path: { ruleId } },
            body: { projectId, terms: toBody(form, rule), afterVersion },
          }),
        ),
      ),
    'The new terms are published.',
    { onSaved: onClose },
  );
  const faults = checkTerms(form, rule);
  const isFaulty = Object.keys(faults).length > 0;
  const trial = useTryTerms(rule, form);
  const issues = readTermsIssues(saving.error);
  const errors = { ...issues.errors, ...(isChecked ? faults : {}) };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!isFaulty) saving.mutate(undefined);
      }}
    >
      <Stack>
        <Switch
          label="Switched on"
          description="Off: this rule gives no rewards from then on."
          checked={form.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <Divider />
        <TermsFields form={form} onChange={change} errors={errors} rule={rule} kind={facts.kind} />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label="Count from"
            description="In your time zone, up to a year ahead. If empty, it takes effect now."
            type="datetime-local"
            miw={220}
            value={form.effectiveAt}
            error={errors.effectiveAt}
            onChange={(event) => change({ effectiveAt: event.currentTarget.value })}
          />
          <TextInput
            label="Why (for your team)"
            description="Kept with this version."
            miw={220}
            maxLength={500}
            value={form.changeNote}
            error={errors.changeNote}
            onChange={(event) => change({ changeNote: event.currentTarget.value })}
          />
        </Group>
        <Stack gap="sm" className="sticky-foot">
          <Meaning sentences={describeTerms(facts, toFacts(form, rule))} isLive />
          <TriedTerms projectId={projectId} tried={trial} />
          <Outdated newest={seen.replaced} />
          {issues.rest !== null && seen.replaced === null && <ErrorState error={issues.rest} />}
          <Group justify="flex-end">
            <Button
              variant="default"
              loading={trial.isBusy}
              onClick={() => {
                setChecked(true);
                if (!isFaulty) void trial.start();
              }}
            >
              Try on the last quarter
            </Button>
            <Button variant="default" onClick={onClose} disabled={saving.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending}>
              Publish version {before.version + 1}
            </Button>
          </Group>
        </Stack>
      </Stack>
      {unsaved.question}
    </form>
  );
}
