import { Stack } from '@mantine/core';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { Section } from '../../ui/section.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { Lines } from '../../ui/states.tsx';
import { makeSnippets } from './snippets.ts';
import { useSnippetFacts } from './use-snippet-facts.ts';

export function SnippetsTab() {
  const project = useProject();
  const maySources = useMay('sources:write');
  const mayPrograms = useMay('programs:read');
  const { facts, isLoading } = useSnippetFacts();
  if (isLoading) return <Lines count={10} height={28} />;
  const { sourceNamespaceId, programId } = facts;
  const snippets = makeSnippets(facts);
  return (
    <Stack>
      <Section
        title="This project"
        intro="These values are filled in below. They are not secret; API keys and widget secrets are."
      >
        <Facts
          rows={[
            ['Service', <IdText key="url" value={location.origin} label="address" />],
            ['Project id', <IdText key="id" value={project.id} label="project id" />],
            ['Public key', <IdText key="key" value={project.projectKey} label="public key" />],
            maySources
              ? [
                  'Source',
                  sourceNamespaceId ? (
                    <IdText key="src" value={sourceNamespaceId} label="source id" />
                  ) : (
                    'None yet: register your backend under Sources'
                  ),
                ]
              : undefined,
            mayPrograms
              ? [
                  'Program',
                  programId ? (
                    <IdText key="prg" value={programId} label="program id" />
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
