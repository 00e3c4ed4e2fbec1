import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorState } from '../states.tsx';
import { FormDialog } from '../unsaved.tsx';
import { useSubmit } from '../use-submit.ts';

const NAME_MAX = 60;

interface ViewNameProps {
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => Promise<unknown>;
}

/** Asks for the name of a view. */
export function ViewName({ title, action, name = '', onClose, onName }: ViewNameProps) {
  const [text, setText] = useState(name);
  const { submit, isBusy, error } = useSubmit(async () => {
    await onName(text.trim());
    onClose();
  });
  return (
    <FormDialog opened onClose={onClose} isChanged={text !== name} isBusy={isBusy} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput
            data-autofocus
            label="Name"
            description="Only you see it, in every browser that you sign in with."
            placeholder="Waiting for more than 30 days"
            required
            maxLength={NAME_MAX}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
