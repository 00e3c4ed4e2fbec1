import '../as-code/as-code.css';
import { Alert, Anchor, Button, CopyButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CheckIcon, CopyIcon, DownloadIcon } from 'lucide-react';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { When } from '../../../ui/when.tsx';
import { FileEditor } from '../as-code/file-editor.tsx';
import { YamlCode } from '../as-code/yaml-code.tsx';
import { definitionQuery, type Program, programsKey } from '../queries.ts';

/** The program as a file, and changing it with one. */
export default function AsCodeTab({ program }: { program: Program }) {
  const { id: programId, projectId, key } = program;
  const queryClient = useQueryClient();
  const definition = useQuery(definitionQuery(projectId, programId));
  if (definition.isPending) return <Lines count={8} height={20} />;
  if (definition.isError) {
    return <ErrorState error={definition.error} retry={() => void definition.refetch()} />;
  }
  const { file, scheduled } = definition.data;
  return (
    <>
      <Section
        title="The file"
        intro={
          <>
            What is in force now. Keep it in a repository, and review changes of it like those of
            your code:{' '}
            <Anchor href="/docs/programs-as-code" target="_blank" inherit underline="always">
              Programs as code
            </Anchor>
            .
          </>
        }
        actions={
          <>
            <CopyButton value={file} timeout={1500}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
                  onClick={copy}
                >
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            <Button
              component="a"
              variant="default"
              href={`data:application/yaml;charset=utf-8,${encodeURIComponent(file)}`}
              download={`${key}.yaml`}
              leftSection={<DownloadIcon size={16} />}
            >
              Download
            </Button>
          </>
        }
      >
        {scheduled.map(({ path, version, effectiveAt }) => (
          <Alert key={path + version} color="blue" variant="light">
            Version {version} of <code>{path}</code> takes effect <When at={effectiveAt} /> and is
            not part of the file. Until then, a file cannot change it.
          </Alert>
        ))}
        <YamlCode label="The program as YAML" file={file} />
      </Section>
      <FileEditor
        program={program}
        file={file}
        onApplied={() => queryClient.invalidateQueries({ queryKey: programsKey(projectId) })}
      />
    </>
  );
}
