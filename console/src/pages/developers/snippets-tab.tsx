import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { Section } from '../../ui/section.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { Lines } from '../../ui/states.tsx';
import { programsQuery } from '../programs/queries.ts';
import { makeSnippets } from './snippets.ts';
import { sourcesQuery } from './sources-query.ts';

export function SnippetsTab() {
  const project = useProject();
  const maySources = useMay('sources:write');
  const mayPrograms = useMay('programs:read');
  const sources = useQuery({ ...sourcesQuery(project.id), enabled: maySources });
  const programs = useQuery({ ...programsQuery(project.id), enabled: mayPrograms });
  if (sources.isLoading || programs.isLoading) return <Lines count={10} height={28} />;
  const ofReferral = programs.data?.filter(({ kind }) => kind === 'referral') ?? [];
  const program = ofReferral.find(({ status }) => status === 'active') ?? ofReferral[0];
  const source = sources.data?.find(({ enabled, kind }) => enabled && kind === 'application');
  const snippets = makeSnippets({
    baseUrl: location.origin,
    projectId: project.id,
    projectKey: project.projectKey,
    programId: program?.id ?? null,
    sourceNamespaceId: source?.id ?? null,
  });
  return (
    <Stack>
      <Section
        title="This project"
        intro="These names are filled in below. They are not secret; API keys and widget secrets are."
      >
        <Facts
          rows={[
            ['Service', <IdText key="url" value={location.origin} label="address" />],
            ['Project id', <IdText key="id" value={project.id} label="project id" />],
            ['Public key', <IdText key="key" value={project.projectKey} label="public key" />],
            maySources
              ? [
                  'Source',
                  source ? (
                    <IdText key="src" value={source.id} label="source id" />
                  ) : (
                    'None yet: register your backend under Sources'
                  ),
                ]
              : undefined,
            mayPrograms
              ? [
                  'Program',
                  program ? (
                    <IdText key="prg" value={program.id} label="program id" />
                  ) : (
                    'None yet: create a referral program first'
                  ),
                ]
              : undefined,
          ]}
        />
      </Section>
      {snippets.map(({ key, title, intro, code }) => (
        <Section key={key} title={title} intro={intro}>
          <Snippet label={title.replace(/^\d+\. /, '').toLowerCase()} code={code} />
        </Section>
      ))}
    </Stack>
  );
}
