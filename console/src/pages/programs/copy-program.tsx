import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { projectsQuery, useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone, notifyWarnings } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { type Program, programsKey } from './queries.ts';

/** For those who may create programs. */
export function CopyProgramButton({ program }: { program: Program }) {
  const mayWrite = useMay('programs:write');
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button variant="default" leftSection={<CopyIcon size={16} />} onClick={() => setOpen(true)}>
        Copy
      </Button>
      {isOpen && <CopyDialog program={program} onClose={() => setOpen(false)} />}
    </>
  );
}

function CopyDialog({ program, onClose }: { program: Program; onClose: () => void }) {
  const project = useProject();
  const { data: projects } = useSuspenseQuery(projectsQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [targetId, setTargetId] = useState(project.id);
  const [name, setName] = useState('');
  const targets = projects.filter(({ workspaceId }) => workspaceId === project.workspaceId);
  const proposed = targetId === project.id ? `Copy of ${program.name}` : program.name;
  const { submit, isBusy, error } = useSubmit(async () => {
    const { data, warnings } = await answerOf(
      api.POST('/v1/programs/copies', {
        body: {
          projectId: targetId,
          fromProjectId: project.id,
          programId: program.id,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
        },
      }),
    );
    void queryClient.invalidateQueries({ queryKey: programsKey(targetId) });
    notifyDone(`“${data.name}” is a draft now. Activate it when it is ready.`);
    notifyWarnings(warnings.map(({ message }) => message));
    onClose();
    await navigate({
      to: '/p/$projectId/programs/$programId',
      params: { projectId: targetId, programId: data.id },
    } as never);
  });
  const issues = readIssues(error, ['name']);
  return (
    <FormDialog
      opened
      onClose={onClose}
      isChanged={name !== ''}
      isBusy={isBusy}
      title="Copy the program"
      centered
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">
            The copy has the rules, terms, delivery, attribution and texts of this program. It has
            no people, codes, links or rewards, and starts as a draft.
          </Text>
          <Select
            label="To the project"
            data={targets.map((one) => ({
              value: one.id,
              label: `${one.name} (${one.environment})${one.id === project.id ? ', this one' : ''}`,
            }))}
            allowDeselect={false}
            value={targetId}
            onChange={(value) => setTargetId(value ?? project.id)}
          />
          <TextInput
            label="Name of the copy"
            placeholder={proposed}
            description="If empty, the proposed name, with a number if it is taken."
            maxLength={120}
            value={name}
            error={issues.of('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {issues.rest !== null && <ErrorState error={issues.rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Make the copy
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
