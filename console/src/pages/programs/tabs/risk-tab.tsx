import '../../risk/risk.css';
import { Button, Group, Text, Timeline } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../app/session.ts';
import { Author } from '../../../ui/author.tsx';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { FormDialog } from '../../../ui/unsaved.tsx';
import { When } from '../../../ui/when.tsx';
import { RiskForm } from '../../risk/policy/risk-form.tsx';
import { SignalFigures } from '../../risk/policy/signal-figures.tsx';
import { riskPoliciesQuery } from '../../risk/queries.ts';
import { describeRisk, MODES } from '../../risk/words/policy-words.ts';
import { type Program, useProjectNow } from '../queries.ts';
import { Meaning } from '../terms/meaning.tsx';
import { VersionBadge } from '../version-badge.tsx';
import { versionInForce } from '../version-in-force.ts';

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
          Every referral is judged by signs of fraud, each with points. The risk policy decides from
          which score on somebody has to look before rewards are given. Nobody is refused by the
          service alone.
        </Text>
        {mayWrite && takesVersions && <Button onClick={open}>Change the policy</Button>}
      </Group>
      <Meaning sentences={describeRisk(inForce)} />
      {maySeeReviews && <SignalFigures program={program} points={inForce.points} />}
      <Section title="Versions">
        {versions.length === 0 ? (
          <Text c="dimmed">None was published: the service’s own policy applies.</Text>
        ) : (
          <Timeline bulletSize={18} lineWidth={2}>
            {versions.map((policy) => (
              <Timeline.Item
                key={policy.id}
                title={
                  <Group gap="xs">
                    Version {policy.version}: {MODES[policy.mode].label}
                    <VersionBadge
                      isInForce={policy.id === published?.id}
                      isAhead={Date.parse(policy.effectiveAt) > now}
                    />
                  </Group>
                }
              >
                <Text size="sm">{describeRisk(policy).join(' ')}</Text>
                <Text size="sm" c="dimmed" mt={4}>
                  From <When at={policy.effectiveAt} /> · by <Author by={policy.author} />
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Section>
      <FormDialog opened={isOpen} onClose={close} title="Next version of the risk policy" size="xl">
        <RiskForm program={program} before={inForce} onDone={close} />
      </FormDialog>
    </>
  );
}
