import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type FormIssues, readIssues } from '../../../ui/form-issues.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { fromLocalInput } from '../local-time.ts';
import { Outdated, useSeenVersion } from '../seen-version.tsx';
import { useSaving } from '../use-saving.ts';

/** The fields that every request for a version has; without a time, it takes effect now. */
interface VersionFields {
  readonly effectiveAt?: string;
  readonly afterVersion: number;
}

interface VersionFormProps<T> {
  /** What would be published; null while a field is wrong. */
  readonly version: T | null;
  readonly isChanged: boolean;
  readonly publish: (version: T & VersionFields) => Promise<unknown>;
  /** The newest version that there is; 0 for none. */
  readonly newest: number;
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
  const { version, isChanged, publish, newest, done, paths = [], onClose, children } = props;
  const [effectiveAt, setEffectiveAt] = useState('');
  const seen = useSeenVersion(newest);
  const saving = useSaving(
    (next: T) =>
      seen.send((afterVersion) =>
        publish({ ...next, ...effectiveFrom(effectiveAt), afterVersion }),
      ),
    done,
    { onSaved: onClose },
  );
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
          <Outdated newest={seen.replaced} />
          {issues.rest !== null && seen.replaced === null && <ErrorState error={issues.rest} />}
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

function effectiveFrom(effectiveAt: string): Pick<VersionFields, 'effectiveAt'> {
  const from = fromLocalInput(effectiveAt);
  return from ? { effectiveAt: from } : {};
}
