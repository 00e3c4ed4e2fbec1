import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../app/session.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { FormDialog } from '../../../ui/unsaved.tsx';
import { describePolicy } from '../policy-words.ts';
import { type Program, policiesQuery, useProjectNow } from '../queries.ts';
import { Meaning } from '../terms/meaning.tsx';
import { versionInForce } from '../version-in-force.ts';
import { PolicyForm } from './policy-form.tsx';
import { VersionHistory } from './version-history.tsx';

/** Who gets the credit: the policy in force, the next one, and all versions. */
export default function AttributionTab({ program }: { program: Program }) {
  const { id: programId, projectId, kind, status } = program;
  const policies = useQuery(policiesQuery(projectId, programId));
  const mayWrite = useMay('programs:write');
  const now = useProjectNow();
  const [isOpen, { open, close }] = useDisclosure();
  if (policies.isPending) return <Lines count={4} height={24} />;
  if (policies.isError) {
    return <ErrorState error={policies.error} retry={() => void policies.refetch()} />;
  }
  const inForce = versionInForce(policies.data, now);
  const takesVersions = status !== 'ended' && status !== 'archived';
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <Text maw={640}>
          The attribution policy decides whose link gets the credit for a new person. A new version
          counts for referrals made from then on; earlier ones do not change.
        </Text>
        {mayWrite && takesVersions && <Button onClick={open}>Change the policy</Button>}
      </Group>
      {inForce && <Meaning sentences={[describePolicy(inForce, kind)]} />}
      <Section title="Versions">
        <VersionHistory
          versions={policies.data}
          inForceId={inForce?.id}
          describe={(policy) => describePolicy(policy, kind)}
        />
      </Section>
      {inForce && (
        <FormDialog opened={isOpen} onClose={close} title="Next version of the policy" size="lg">
          <PolicyForm
            program={program}
            before={inForce}
            newest={policies.data[0]?.version ?? 0}
            onDone={close}
          />
        </FormDialog>
      )}
    </>
  );
}
