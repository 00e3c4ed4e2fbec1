import '../../risk/risk.css';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../app/session.ts';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { FormDialog } from '../../../ui/unsaved.tsx';
import { RiskForm } from '../../risk/policy/risk-form.tsx';
import { SignalFigures } from '../../risk/policy/signal-figures.tsx';
import { riskPoliciesQuery } from '../../risk/queries.ts';
import { describeRisk, MODES } from '../../risk/words/policy-words.ts';
import { type Program, useProjectNow } from '../queries.ts';
import { Meaning } from '../terms/meaning.tsx';
import { versionInForce } from '../version-in-force.ts';
import { VersionHistory } from './version-history.tsx';

/** When referrals are reviewed: the risk policy in force, its versions, and how its signals do. */
export default function RiskTab({ program }: { program: Program }) {
  const { id: programId, projectId, status } = program;
  const policies = useQuery(riskPoliciesQuery(projectId, programId));
  const mayWrite = useMay('programs:write');
  const maySeeReviews = useMay('referrals:read');
  const now = useProjectNow();
  const [isOpen, { open, close }] = useDisclosure();
  if (policies.isPending) return <Lines count={4} height={24} />;
  if (policies.isError) {
    return <ErrorState error={policies.error} retry={() => void policies.refetch()} />;
  }
  const { data: versions, defaults } = policies.data;
  const published = versionInForce(versions, now);
  const inForce = published ?? defaults;
  const takesVersions = status !== 'ended' && status !== 'archived';
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <Text maw={640}>
          Every referral gets points for signs of fraud. The risk policy sets the score from which
          its rewards are held for a review. The service alone never rejects anybody.
        </Text>
        {mayWrite && takesVersions && <Button onClick={open}>Change the policy</Button>}
      </Group>
      <Meaning sentences={describeRisk(inForce)} />
      {maySeeReviews && <SignalFigures program={program} points={inForce.points} />}
      <Section title="Versions">
        {versions.length === 0 ? (
          <Text c="dimmed">No version was published: the default policy applies.</Text>
        ) : (
          <VersionHistory
            versions={versions}
            inForceId={published?.id}
            nameOf={({ mode }) => MODES[mode].label}
            describe={(policy) => describeRisk(policy).join(' ')}
          />
        )}
      </Section>
      <FormDialog opened={isOpen} onClose={close} title="Next version of the risk policy" size="xl">
        <RiskForm
          program={program}
          before={inForce}
          newest={versions[0]?.version ?? 0}
          onDone={close}
        />
      </FormDialog>
    </>
  );
}
