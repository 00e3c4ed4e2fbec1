import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { KINDS } from '../program-words.ts';
import type { ProgramKind } from '../queries.ts';
import { applyKind } from './presets.ts';
import type { StepProps } from './step-props.ts';

const FITS: Record<ProgramKind, string> = {
  referral: 'Fits most products: happy customers tell their friends.',
  affiliate: 'Fits when bloggers, agencies or other companies sell for you.',
  loyalty: 'Fits when you want people to come back.',
};

export function StepKind({ draft, onChange, isLocked }: StepProps) {
  return (
    <Stack>
      <Radio.Group
        label="Kind"
        description="It cannot be changed later; you can have several."
        value={draft.kind}
        onChange={(kind) => onChange(applyKind(draft, kind as ProgramKind))}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }} mt="sm">
          {(Object.keys(KINDS) as ProgramKind[]).map((kind) => (
            <Radio.Card key={kind} value={kind} className="option-card" disabled={isLocked}>
              <Radio.Indicator mb="xs" />
              <Text fw={600}>{KINDS[kind].label}</Text>
              <Text size="sm" mt={4}>
                {KINDS[kind].meaning}
              </Text>
              <Text size="sm" c="dimmed" mt={4}>
                {FITS[kind]}
              </Text>
            </Radio.Card>
          ))}
        </SimpleGrid>
      </Radio.Group>
      <TextInput
        label="Name"
        description="For you and your team, and for partners."
        placeholder="Invite a friend"
        required
        maxLength={120}
        maw={480}
        disabled={isLocked}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </Stack>
  );
}
