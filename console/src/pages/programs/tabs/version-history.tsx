import { Group, Text, Timeline } from '@mantine/core';
import { Author } from '../../../ui/author.tsx';
import { When } from '../../../ui/when.tsx';
import { useProjectNow } from '../queries.ts';
import { VersionBadge } from '../version-badge.tsx';

interface Version {
  readonly id: string;
  readonly version: number;
  readonly effectiveAt: string;
  readonly author: string;
}

interface VersionHistoryProps<T extends Version> {
  readonly versions: readonly T[];
  readonly inForceId: string | undefined;
  readonly describe: (version: T) => string;
  /** What the title adds to the number. */
  readonly nameOf?: (version: T) => string;
}

/** All versions of a policy: what each says, from when on, and by whom. */
export function VersionHistory<T extends Version>(props: VersionHistoryProps<T>) {
  const { versions, inForceId, describe, nameOf } = props;
  const now = useProjectNow();
  return (
    <Timeline bulletSize={18} lineWidth={2}>
      {versions.map((one) => (
        <Timeline.Item
          key={one.id}
          title={
            <Group gap="xs">
              Version {one.version}
              {nameOf && `: ${nameOf(one)}`}
              <VersionBadge
                isInForce={one.id === inForceId}
                isAhead={Date.parse(one.effectiveAt) > now}
              />
            </Group>
          }
        >
          <Text size="sm">{describe(one)}</Text>
          <Text size="sm" c="dimmed" mt={4}>
            From <When at={one.effectiveAt} /> · by <Author by={one.author} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
