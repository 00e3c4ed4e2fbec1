import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import type { Source } from './sources-query.ts';

const KINDS: readonly { value: Source['kind']; label: string; description: string }[] = [
  { value: 'application', label: 'Application', description: 'Your backend, as things happen.' },
  { value: 'billing', label: 'Billing', description: 'A billing system that reports purchases.' },
  { value: 'import', label: 'Import', description: 'Old facts, of any age.' },
];

interface SourceFormProps {
  /** Null to create one. */
  readonly source: Source | null;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

export function SourceForm({ source, onClose, onSaved }: SourceFormProps) {
  const project = useProject();
  const [name, setName] = useState(source?.name ?? '');
  const [key, setKey] = useState('');
  const [kind, setKind] = useState<Source['kind']>('application');
  const isChanged = useIsChanged({ name, key, kind });
  const { submit, isBusy, error } = useSubmit(async () => {
    if (source) {
      await answerOf(
        api.PATCH('/v1/sources/{id}', {
          params: { path: { id: source.id } },
          body: { projectId: project.id, name: name.trim() },
        }),
      );
    } else {
      await answerOf(
        api.POST('/v1/sources', {
          body: { projectId: project.id, name: name.trim(), key: key.trim() || null, kind },
        }),
      );
    }
    onClose();
    void onSaved();
    notifyDone(source ? 'Renamed.' : 'Registered.');
  });
  const issues = readIssues(error, ['name', 'key', 'kind']);
  const isKeyWrong = key !== '' && !/^[a-z0-9_-]{1,64}$/.test(key.trim());
  return (
    <FormDialog
      opened
      onClose={onClose}
      isChanged={isChanged}
      isBusy={isBusy}
      title={source ? `Rename ${source.name}` : 'New source'}
      centered
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput
            label="Name"
            placeholder="Shop backend"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={issues.of('name')}
          />
          {!source && (
            <>
              <TextInput
                label="Key"
                description="Unique in the project; derived from the name if empty. Registering the same key again returns the same source."
                maxLength={64}
                value={key}
                onChange={(event) => setKey(event.currentTarget.value)}
                error={
                  issues.of('key') ??
                  (isKeyWrong ? 'Small letters, digits, _ and - only' : undefined)
                }
              />
              <Radio.Group
                label="Kind"
                value={kind}
                onChange={(value) => setKind(value as Source['kind'])}
                error={issues.of('kind')}
              >
                <Stack gap="xs" mt="xs">
                  {KINDS.map((one) => (
                    <Radio key={one.value} {...one} />
                  ))}
                </Stack>
              </Radio.Group>
            </>
          )}
          {issues.rest !== null && <ErrorState error={issues.rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={name.trim() === '' || isKeyWrong}>
              {source ? 'Rename' : 'Register'}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
