import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMayAdminister } from '../../app/session.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { hasChanged } from '../../ui/has-changed.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { countOf } from '../../ui/words.ts';
import { problemOfOrigin, readOrigins } from './origins.ts';

export function OriginsTab() {
  const project = useProject();
  const mayAdminister = useMayAdminister();
  return (
    <Section
      title="Allowed origins"
      intro="The sites that may use the landing script and the widget. Enter scheme, host and port exactly as browsers send them, with nothing after them. If the list is empty, no site may use them."
    >
      {mayAdminister ? (
        <OriginsForm key={project.allowedOrigins.join(' ')} />
      ) : (
        <ul className="plain-list">
          {project.allowedOrigins.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
            </li>
          ))}
          {project.allowedOrigins.length === 0 && (
            <li>None yet. An owner or admin can add them here.</li>
          )}
        </ul>
      )}
    </Section>
  );
}

function OriginsForm() {
  const project = useProject();
  const queryClient = useQueryClient();
  const [text, setText] = useState(project.allowedOrigins.join('\n'));
  const origins = readOrigins(text);
  const unsaved = useUnsaved(hasChanged<readonly string[]>(project.allowedOrigins, origins));
  const [problem] = origins.flatMap((origin) => problemOfOrigin(origin) ?? []);
  const [isTried, setTried] = useState(false);
  const { submit, isBusy, error } = useSubmit(async () => {
    setTried(true);
    if (problem) return;
    await answerOf(
      api.PATCH('/v1/projects/{projectId}', {
        params: { path: { projectId: project.id } },
        body: { allowedOrigins: origins },
      }),
    );
    await queryClient.refetchQueries({ queryKey: ['projects'], type: 'all' });
    notifyDone(
      origins.length === 0
        ? 'Saved: no site is allowed.'
        : `Saved: ${countOf(origins.length, 'origin')}.`,
    );
  });
  const issues = readIssues(error, ['allowedOrigins']);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack maw={560}>
        <Textarea
          label="Origins, one per line"
          placeholder="https://www.example.com"
          autosize
          minRows={3}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={issues.of('allowedOrigins') ?? (isTried ? problem : undefined)}
        />
        <Text size="sm" c="dimmed">
          For work on your own machine add something like http://localhost:3000 to a sandbox
          project.
        </Text>
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Button type="submit" loading={isBusy} w="fit-content">
          Save origins
        </Button>
      </Stack>
      {unsaved.question}
    </form>
  );
}
