import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { readIssues } from '../../../ui/form-issues.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { fromLocalInput } from '../local-time.ts';

interface VersionFormProps {
  /** As the field has it: local time, or nothing for now. */
  readonly effectiveAt: string;
  readonly onEffectiveAt: (effectiveAt: string) => void;
  readonly issues: ReturnType<typeof readIssues>;
  readonly isPending: boolean;
  readonly isValid: boolean;
  readonly onPublish: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The next version of a policy: its own fields, from when on it counts, and publishing it. */
export function VersionForm(props: VersionFormProps) {
  const { effectiveAt, issues, isPending, isValid, onPublish, onCancel, children } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onPublish();
      }}
    >
      <Stack gap="lg">
        {children}
        <TextInput
          label="Counts from"
          description="In your time zone, up to a year ahead. If empty, it takes effect now."
          type="datetime-local"
          maw={320}
          value={effectiveAt}
          error={issues.of('effectiveAt')}
          onChange={(event) => props.onEffectiveAt(event.currentTarget.value)}
        />
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={!isValid}>
            Publish
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The field of a request for it; none takes effect now. */
export function effectiveFrom(effectiveAt: string): { readonly effectiveAt?: string } {
  const from = fromLocalInput(effectiveAt);
  return from ? { effectiveAt: from } : {};
}
