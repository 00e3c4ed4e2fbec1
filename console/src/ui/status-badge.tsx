import { Badge, Tooltip } from '@mantine/core';

/** The meaning of a state for the reader: it `waits` for something, needs `care`, or has ended. */
export type Tone = 'good' | 'waits' | 'care' | 'bad' | 'over' | 'plain';

const COLOUR: Record<Tone, string> = {
  good: 'leaf',
  waits: 'blue',
  care: 'orange',
  bad: 'red',
  over: 'gray',
  plain: 'gray',
};

interface StatusBadgeProps {
  readonly tone: Tone;
  readonly label: string;
  /** One plain sentence: what this state means, and what comes next. */
  readonly explanation?: string | undefined;
}

export function StatusBadge({ tone, label, explanation }: StatusBadgeProps) {
  const badge = (
    <Badge
      variant="light"
      color={COLOUR[tone]}
      tt="none"
      fw={600}
      className="status"
      tabIndex={explanation ? 0 : undefined}
    >
      {label}
    </Badge>
  );
  return explanation ? (
    <Tooltip
      label={explanation}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      {badge}
    </Tooltip>
  ) : (
    badge
  );
}
