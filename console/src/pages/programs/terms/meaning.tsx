import { Paper, Text } from '@mantine/core';
import { QuoteIcon } from 'lucide-react';

interface MeaningProps {
  readonly sentences: readonly string[];
  /** Announced to screen readers on changes: for text that follows a form. */
  readonly isLive?: boolean;
}

/** The meaning of settings in words: the first sentence states it, the others limit it. */
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
