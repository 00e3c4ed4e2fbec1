import { Alert, Anchor, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PartyPopperIcon } from 'lucide-react';
import { type Project, useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { Snippet } from '../../../ui/snippet.tsx';
import { signupSnippet } from '../../developers/snippets.ts';
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
          <FirstLink program={program} />
        </section>
      )}
      {program && program.kind !== 'loyalty' && <OnYourPages project={project} />}
      <section>
        <Title order={2} mb="xs">
          What comes next
        </Title>
        <NextSteps project={project} program={program} />
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

function NextSteps({ project, program }: { project: Project; program: Program | undefined }) {
  const { id: projectId } = project;
  const params = { projectId } as never;
  const kind = program?.kind;
  const { facts } = useSnippetFacts();
  const signup = signupSnippet(facts).code;
  return (
    <Stack>
      <List type="ordered" spacing="sm">
        <List.Item>
          Tell the service of signups and purchases: your backend sends them with an{' '}
          <Anchor component={Link} underline="always" to="/p/$projectId/developers" params={params}>
            API key
          </Anchor>
          .
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
      <Snippet label="the call for a signup" code={signup} />
    </Stack>
  );
}
