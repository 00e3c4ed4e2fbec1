import { Group, Table, Text, Timeline } from '@mantine/core';
import { Author } from '../../../ui/author.tsx';
import { When } from '../../../ui/when.tsx';
import type { TermsVersion } from '../queries.ts';
import { VersionBadge } from '../version-badge.tsx';
import { describeTerms, type RuleFacts } from './describe-terms.ts';
import { diffTerms } from './diff-terms.ts';

interface TermsHistoryProps {
  readonly facts: RuleFacts;
  /** Newest first. */
  readonly versions: readonly TermsVersion[];
  readonly inForce: TermsVersion | undefined;
  readonly nowMs: number;
}

/** Every version of a rule's terms: when it applies, what it changed, who published it and why. */
export function TermsHistory({ facts, versions, inForce, nowMs }: TermsHistoryProps) {
  // The hold is a current setting and not part of a version.
  const rule = { ...facts, holdDays: null };
  return (
    <Timeline bulletSize={18} lineWidth={2} mt="md">
      {versions.map((version, index) => (
        <Timeline.Item
          key={version.id}
          title={
            <Group gap="xs">
              Version {version.version}
              <VersionBadge
                isInForce={version.id === inForce?.id}
                isAhead={Date.parse(version.effectiveAt) > nowMs}
              />
            </Group>
          }
        >
          <Text size="sm">{describeTerms(rule, version).join(' ')}</Text>
          <Text size="sm" c="dimmed" mt={4}>
            Counts from <When at={version.effectiveAt} /> · published{' '}
            <When at={version.publishedAt} /> by <Author by={version.author} />
          </Text>
          {version.changeNote && (
            <Text size="sm" mt={4} fs="italic">
              “{version.changeNote}”
            </Text>
          )}
          <Difference facts={facts} before={versions[index + 1]} after={version} />
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

interface DifferenceProps {
  readonly facts: RuleFacts;
  readonly before: TermsVersion | undefined;
  readonly after: TermsVersion;
}

function Difference({ facts, before, after }: DifferenceProps) {
  if (!before) return null;
  const changes = diffTerms(before, after, facts);
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt={4}>
        The same terms as version {before.version}.
      </Text>
    );
  }
  return (
    <Table
      mt="xs"
      maw={620}
      verticalSpacing={4}
      aria-label={`What version ${after.version} changed`}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Changed</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ label, before: was, after: is }) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td>{was ? <del className="was">{was}</del> : '–'}</Table.Td>
            <Table.Td fw={600}>{is ?? '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
