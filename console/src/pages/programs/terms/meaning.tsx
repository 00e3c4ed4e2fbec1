import { Paper, Text } from '@mantine/core';
import { QuoteIcon } from 'lucide-react';

interface MeaningProps {
  readonly sentences: readonly string[];
  /** Read aloud when it changes: for what follows a form. */
  readonly isLive?: boolean;
}

/** What settings mean, in words: the first sentence says it, the others limit it. */
export function Meaning({ sentences, isLive = false }: MeaningProps) {
  const [first, ...rest] = sentences;
  return (
    <Paper className="meaning" p="md" aria-live={isLive ? 'polite' : undefined}>
      <QuoteIcon size={20} aria-hidden className="meaning-mark" />
      <div>
        <Text fw={600}>{first}</Text>
        {rest.length > 0 && (
          <Text size="sm" mt={4}>
            {rest.join(' ')}
          </Text>
        )}
      </div>
    </Paper>
  );
}
