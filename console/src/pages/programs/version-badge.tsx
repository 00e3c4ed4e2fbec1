import { Badge } from '@mantine/core';

/** Marks the version in force, and future ones. */
export function VersionBadge({ isInForce, isAhead }: { isInForce: boolean; isAhead: boolean }) {
  if (!isInForce && !isAhead) return null;
  return (
    <Badge variant="light" color={isInForce ? 'leaf' : 'blue'} tt="none">
      {isInForce ? 'In force' : 'To come'}
    </Badge>
  );
}
