import { Alert, Anchor, Box, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PartyPopperIcon } from 'lucide-react';
import { useState } from 'react';
import { type Project, useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { Snippet } from '../../../ui/snippet.tsx';
import { signupCall } from '../../developers/snippets.ts';
import { useSnippetFacts } from '../../developers/use-snippet-facts.ts';
import { FirstLink } from '../first-link.tsx';
import { type Program, programQuery } from '../queries.ts';
import { landingSnippet } from '../snippets.ts';

interface StepDoneProps {
  readonly programId: string;
  readonly isActive: boolean;
}

/** The first link, and what is left to do on the user's own pages. */
export function StepDone({ programId, isActive }: StepDoneProps) {
  const project = useProject();
  const { data: program } = useQuery(programQuery(project.id, programId));
  const mayShare = useMay('referrals:write');
  const [link, setLink] = useState<string | null>(null);
  return (
    <Stack gap="xl" maw={760}>
      <Alert
        color="leaf"
        icon={<PartyPopperIcon />}
        title={isActive ? 'Your program is running' : 'Your program is ready, as a draft'}
      >
        {isActive
          ? `Everything is set up.${program?.kind === 'referral' ? ' Try it with a link of your own.' : ''}`
          : 'Everything is set up. Activate the program on its page when you want to start.'}
      </Alert>
      {program?.kind === 'referral' && mayShare && (
        <section>
          <Title order={2} mb="xs">
            Your first link
          </Title>
          <FirstLink program={program} onMade={setLink} />
        </section>
      )}
      {program && program.kind !== 'loyalty' && <OnYourPages project={project} />}
      <section>
        <Title order={2} mb="xs">
          What comes next
        </Title>
        <NextSteps project={project} program={program} link={link} />
      </section>
    </Stack>
  );
}

function OnYourPages({ project }: { project: Project }) {
  return (
    <section>
      <Title order={2} mb="xs">
        On your landing page
      </Title>
      <Text mb="sm">
        This script remembers whose link a visitor followed. Put it on the page that links lead to.
      </Text>
      <Snippet
        label="the landing script"
        code={landingSnippet(window.location.origin, project.projectKey)}
      />
    </section>
  );
}

interface NextStepsProps {
  readonly project: Project;
  readonly program: Program | undefined;
  /** The one that was made on this page. */
  readonly link: string | null;
}

function NextSteps({ project, program, link }: NextStepsProps) {
  const { id: projectId } = project;
  const { facts, isLoading } = useSnippetFacts();
  const params = { projectId } as never;
  const kind = program?.kind;
  return (
    <List type="ordered" spacing="sm">
      <List.Item>
        Create an{' '}
        <Anchor
          component={Link}
          underline="always"
          to="/p/$projectId/developers"
          params={params}
          search={{ tab: 'keys' } as never}
        >
          API key
        </Anchor>
        , and keep it as GOODWORD_KEY where your backend runs.
      </List.Item>
      {!isLoading && facts.sourceNamespaceId === null && (
        <List.Item>
          Register your product as a{' '}
          <Anchor
            component={Link}
            underline="always"
            to="/p/$projectId/developers"
            params={params}
            search={{ tab: 'sources' } as never}
          >
            source
          </Anchor>
          . Each event names the source that it comes from.
        </List.Item>
      )}
      <List.Item>
        Report each signup and purchase from your backend.{' '}
        {link === null
          ? 'This call reports a signup:'
          : 'This call reports a signup with the code of your link. Run it to see your first referral:'}
        <Box mt="xs">
          <Snippet label="the call for a signup" code={signupCall(facts, codeOf(link))} />
        </Box>
      </List.Item>
      {kind === 'referral' && program && (
        <List.Item>
          <Anchor
            component={Link}
            underline="always"
            to="/p/$projectId/programs/$programId"
            params={{ projectId, programId: program.id } as never}
            search={{ tab: 'widget' } as never}
          >
            Design the widget
          </Anchor>
          , in which your customers find their link and see what they earned.
        </List.Item>
      )}
      {kind === 'affiliate' && (
        <List.Item>
          Approve your first{' '}
          <Anchor component={Link} underline="always" to="/p/$projectId/partners" params={params}>
            partners
          </Anchor>
          : each gets a code and a link when approved.
        </List.Item>
      )}
      <List.Item>
        Try out what an event would earn with a{' '}
        <Anchor component={Link} underline="always" to="/p/$projectId/dry-run" params={params}>
          dry run
        </Anchor>
        .
      </List.Item>
    </List>
  );
}

/** How a link ends. */
const codeOf = (link: string | null): string | null => link?.split('/').at(-1) ?? null;
