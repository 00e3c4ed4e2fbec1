import { Stack } from '@mantine/core';
import { Section } from '../../ui/section.tsx';
import { ProgramLink } from '../people/names.tsx';
import type { ParticipantDetail } from '../people/queries.ts';
import { startWords } from './start-words.ts';

/** What imports carried over for them, by program. */
export function StartingMeasures({ starts }: { starts: ParticipantDetail['startingMeasures'] }) {
  if (starts.length === 0) return null;
  return (
    <Section title="Carried over">
      <Stack gap="sm">
        {starts.map((start) => (
          <div key={start.programId} className="two-lines">
            <ProgramLink id={start.programId} />
            <span>{startWords(start)}</span>
          </div>
        ))}
      </Stack>
    </Section>
  );
}
