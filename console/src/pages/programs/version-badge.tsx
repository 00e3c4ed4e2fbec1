import { Badge } from '@mantine/core';

/** Which of the versions counts, and which will. */
export function VersionBadge({ isInForce, isAhead }: { isInForce: boolean; isAhead: boolean }) {
  if (!isInForce && !isAhead) return null;
  return (
    <Badge variant="light" color={isInForce ? 'leaf' : 'blue'} tt="none">
      {isInForce ? 'In force' : 'To come'}
    </Badge>
  );
}
