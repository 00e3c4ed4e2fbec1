import { Stack, Text } from '@mantine/core';
import { CopyAction, IdText } from '../../ui/id-text.tsx';
import { Section } from '../../ui/section.tsx';
import { ProgramLink } from '../people/names.tsx';
import type { ParticipantDetail } from '../people/queries.ts';

/** The participant's codes and links, each with its address to copy. */
export function CodesAndLinks({ detail: { refCodes, links } }: { detail: ParticipantDetail }) {
  if (refCodes.length === 0) return null;
  return (
    <Section title="Codes and links">
      <Stack gap="md">
        {refCodes.map(({ id, code, programId, url }) => (
          <Stack key={id} gap={4}>
            <IdText value={code} label="code" />
            <Text size="sm" c="dimmed">
              In <ProgramLink id={programId} />
            </Text>
            {url && <Address url={url} />}
            {links
              .filter(({ refCodeId }) => refCodeId === id)
              .map((link) => (
                <Address key={link.id} url={link.url ?? link.slug} />
              ))}
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

function Address({ url }: { url: string }) {
  return (
    <div className="address">
      <Text span size="sm">
        {url.replace(/^https?:\/\//, '')}
      </Text>
      <CopyAction value={url} label="Copy address" />
    </div>
  );
}
