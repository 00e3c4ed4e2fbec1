import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import type { Program } from '../queries.ts';
import { FileField } from './file-field.tsx';
import { type Plan, PlanView } from './plan-view.tsx';

interface FileEditorProps {
  readonly program: Program;
  /** What is in force, to begin with. */
  readonly file: string;
  /** Reads everything about the program again. */
  readonly onApplied: () => Promise<unknown>;
}

/** Takes a changed file, shows what it would change, and applies that. */
export function FileEditor({ program, file, onApplied }: FileEditorProps) {
  const { id: programId, projectId } = program;
  const [text, setText] = useState('');
  const [prune, setPrune] = useState(false);
  const [planned, setPlanned] = useState<{ readonly of: string; readonly plan: Plan }>();
  const sent = `${prune} ${text}`;
  const { submit, isBusy, error } = useSubmit(async () => {
    setPlanned(undefined);
    const body = { projectId, programId, definition: text, prune };
    const { data } = await answerOf(api.POST('/v1/program-plans', { body }));
    setPlanned({ of: sent, plan: data });
  }, sent);
  const plan = planned?.of === sent ? planned.plan : undefined;
  const { question } = useUnsaved(text.trim() !== '' && text !== file);
  return (
    <>
      {question}
      <Section
        title="Change it with a file"
        intro="Paste a changed file to see what it would change. What it leaves out is left alone."
      >
        <form onSubmit={submit}>
          <Stack>
            <FileField
              label="The changed file"
              description="YAML or JSON"
              inForce={file}
              value={text}
              onChange={setText}
            />
            <Checkbox
              label="End the rules that the file lacks"
              checked={prune}
              onChange={(event) => setPrune(event.currentTarget.checked)}
            />
            <Group>
              <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
                Show what changes
              </Button>
            </Group>
            {error !== null && <ErrorState error={error} />}
          </Stack>
        </form>
      </Section>
      {plan && (
        <PlanView
          key={plan.planId}
          projectId={projectId}
          plan={plan}
          onApplied={() => {
            setText('');
            setPlanned(undefined);
            notifyDone('The changes are applied.');
            return onApplied();
          }}
        />
      )}
    </>
  );
}
