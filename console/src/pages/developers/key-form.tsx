import { Button, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { readIssues } from '../../ui/form-issues.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged, useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import {
  PERMISSIONS,
  type Permission,
  PRESETS,
  type Preset,
  permissionsIn,
} from './permissions.ts';

interface KeyFormProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: string) => Promise<void>;
}

export function KeyForm(props: KeyFormProps) {
  const { environment } = useProject();
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      title={`New ${environment} API key`}
      size="lg"
    >
      <Fields {...props} />
    </FormDialog>
  );
}

function Fields({ onClose, onMade }: KeyFormProps) {
  const { workspaceId, environment } = useProject();
  const [name, setName] = useState('');
  const [choice, setChoice] = useState<Preset | 'own'>('backend');
  const [permissions, setPermissions] = useState<string[]>(['track:write']);
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  const unsaved = useUnsaved(useIsChanged({ name, choice, permissions, expiresAt }));
  const { submit, isBusy, error } = useSubmit(async () => {
    const { key } = await answerOf(
      api.POST('/v1/api-keys', {
        body: {
          workspaceId,
          environment,
          name: name.trim(),
          permissions: choice === 'own' ? (permissions as Permission[]) : choice,
          expiresAt,
        },
      }),
    );
    onClose();
    await onMade(key);
  });
  const issues = readIssues(error, ['name', 'permissions', 'expiresAt']);
  const isLacking = name.trim() === '' || (choice === 'own' && permissions.length === 0);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          label="Name"
          description="The application that uses the key."
          placeholder="Shop backend"
          required
          maxLength={120}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={issues.of('name')}
        />
        <Radio.Group
          label="What it may do"
          value={choice}
          onChange={(value) => setChoice(value as Preset | 'own')}
          error={issues.of('permissions')}
        >
          <Stack gap="xs" mt="xs">
            {Object.entries(PRESETS).map(([value, { label, explanation }]) => (
              <Radio key={value} value={value} label={label} description={explanation} />
            ))}
            <Radio value="own" label="Let me choose" description="Choose each permission." />
          </Stack>
        </Radio.Group>
        {choice === 'own' ? (
          <Checkbox.Group label="Permissions" value={permissions} onChange={setPermissions}>
            <Stack gap="xs" mt="xs">
              {Object.entries(PERMISSIONS).map(([value, explanation]) => (
                <Checkbox key={value} value={value} label={value} description={explanation} />
              ))}
            </Stack>
          </Checkbox.Group>
        ) : (
          <Text size="sm" c="dimmed">
            {permissionsIn(choice).join(', ')}
          </Text>
        )}
        <DateTimeInput
          label="Ends"
          description="Leave this empty for a key that works until you revoke it."
          value={expiresAt}
          onChange={setExpiresAt}
          error={issues.of('expiresAt')}
        />
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={isLacking}>
            Create key
          </Button>
        </Group>
      </Stack>
      {unsaved.question}
    </form>
  );
}
