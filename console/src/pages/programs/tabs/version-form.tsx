import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type FormIssues, readIssues } from '../../../ui/form-issues.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { fromLocalInput } from '../local-time.ts';
import { useSaving } from '../use-saving.ts';

/** The field of a request that says from when on a version counts; without it, it takes effect now. */
interface EffectiveFrom {
  readonly effectiveAt?: string;
}

interface VersionFormProps<T> {
  /** What would be published; null while a field is wrong. */
  readonly version: T | null;
  readonly isChanged: boolean;
  readonly publish: (version: T & EffectiveFrom) => Promise<unknown>;
  /** What is reported once it is published. */
  readonly done: string;
  /** The fields that show the service's issues themselves. */
  readonly paths?: readonly string[];
  readonly onClose: () => void;
  /** The fields of the policy. */
  readonly children: (issues: FormIssues) => ReactNode;
}

/** The next version of a policy: its own fields, from when on it counts, and publishing it. */
export function VersionForm<T extends object>(props: VersionFormProps<T>) {
  const { version, isChanged, publish, done, paths = [], onClose, children } = props;
  const [effectiveAt, setEffectiveAt] = useState('');
  const saving = useSaving((next: T) => publish({ ...next, ...effectiveFrom(effectiveAt) }), done, {
    onSaved: onClose,
  });
  const unsaved = useUnsaved(effectiveAt !== '' || isChanged, saving.isPending);
  const issues = readIssues(saving.error, ['effectiveAt', ...paths]);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (version) saving.mutate(version);
        }}
      >
        <Stack gap="lg">
          {children(issues)}
          <TextInput
            label="Counts from"
            description="In your time zone, up to a year ahead. If empty, it takes effect now."
            type="datetime-local"
            maw={320}
            value={effectiveAt}
            error={issues.of('effectiveAt')}
            onChange={(event) => setEffectiveAt(event.currentTarget.value)}
          />
          {issues.rest !== null && <ErrorState error={issues.rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={saving.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={version === null}>
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
      {unsaved.question}
    </>
  );
}

function effectiveFrom(effectiveAt: string): EffectiveFrom {
  const from = fromLocalInput(effectiveAt);
  return from ? { effectiveAt: from } : {};
}
