import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { CopyAction } from '../../ui/id-text.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { type Program, programsKey } from './queries.ts';

const SLUG = /^[A-Za-z0-9][A-Za-z0-9-]{1,48}[A-Za-z0-9]$/;

interface FirstLinkProps {
  readonly program: Pick<Program, 'id' | 'projectId'>;
  readonly onMade?: (url: string) => void;
}

/** Creates a person's link, to test it or to give it to them. */
export function FirstLink({ program, onMade }: FirstLinkProps) {
  const { id: programId, projectId } = program;
  const [externalId, setExternalId] = useState('');
  const [slug, setSlug] = useState('');
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: async () => {
      const participant = { kind: 'individual' as const, externalId };
      const body = { projectId, programId, participant };
      const { data } = slug
        ? await answerOf(api.POST('/v1/referral-links', { body: { ...body, slug } }))
        : await answerOf(api.POST('/v1/referral-codes', { body }));
      return data.url ?? '';
    },
    onSuccess: async (url) => {
      await queryClient.invalidateQueries({ queryKey: programsKey(projectId) });
      onMade?.(url);
    },
  });
  const slugFault =
    slug === '' || SLUG.test(slug)
      ? undefined
      : 'Letters, digits and hyphens, 3 to 50, without a hyphen at either end';
  const { error, data: url } = making;
  const issues = readIssues(error, ['participant.externalId', 'slug']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!slugFault) making.mutate();
      }}
    >
      <Stack>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label="Whose link"
            description="Your own id of this person, as your signups will send it."
            placeholder="user_42"
            required
            miw={220}
            maxLength={512}
            value={externalId}
            error={issues.of('participant.externalId')}
            onChange={(event) => setExternalId(event.currentTarget.value)}
          />
          <TextInput
            label="How the link ends"
            description="If empty, a short random code is used."
            placeholder="ada"
            miw={220}
            maxLength={50}
            value={slug}
            error={slugFault ?? issues.of('slug')}
            onChange={(event) => setSlug(event.currentTarget.value)}
          />
        </Group>
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group>
          <Button
            type="submit"
            variant={url ? 'default' : 'filled'}
            loading={making.isPending}
            disabled={externalId.trim() === ''}
          >
            {url ? 'Create another' : 'Create the link'}
          </Button>
        </Group>
        {url && (
          <div className="made-link" role="status">
            <Anchor href={url} target="_blank" rel="noreferrer" fw={600} underline="always">
              {url}
            </Anchor>
            <CopyAction value={url} label="Copy the link" />
          </div>
        )}
      </Stack>
    </form>
  );
}
