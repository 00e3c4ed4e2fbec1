import { Button, Checkbox, FileButton, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import type { Program } from '../queries.ts';
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
  const [plan, setPlan] = useState<Plan | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    setPlan(null);
    const body = { projectId, programId, definition: text, prune };
    const { data } = await answerOf(api.POST('/v1/program-plans', { body }));
    setPlan(data);
  });
  const { question } = useUnsaved(text.trim() !== '' && text !== file);
  const change = (next: string) => {
    setText(next);
    setPlan(null);
  };
  return (
    <>
      {question}
      <Section
        title="Change it with a file"
        intro="Paste a changed file to see what it would change. What it leaves out is left alone."
      >
        <form onSubmit={submit}>
          <Stack>
            <Textarea
              className="yaml-editor"
              label="The changed file"
              description="YAML or JSON"
              autosize
              minRows={8}
              maxRows={24}
              spellCheck={false}
              value={text}
              onChange={(event) => change(event.currentTarget.value)}
            />
            <Group gap="xs">
              <Button variant="default" onClick={() => change(file)}>
                Begin with what is in force
              </Button>
              <FileButton
                accept=".yaml,.yml,.json"
                onChange={(chosen) => void chosen?.text().then(change)}
              >
                {(props) => (
                  <Button variant="default" {...props}>
                    Open a file
                  </Button>
                )}
              </FileButton>
            </Group>
            <Checkbox
              label="End the rules that the file lacks"
              checked={prune}
              onChange={(event) => {
                setPrune(event.currentTarget.checked);
                setPlan(null);
              }}
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
            change('');
            notifyDone('The changes are applied.');
            return onApplied();
          }}
        />
      )}
    </>
  );
}
