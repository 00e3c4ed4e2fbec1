import { Divider, Group, Radio, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { readIssues } from '../../../ui/form-issues.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import type { Program } from '../../programs/queries.ts';
import { effectiveFrom, VersionForm } from '../../programs/tabs/version-form.tsx';
import { Meaning } from '../../programs/terms/meaning.tsx';
import { useSaving } from '../../programs/use-saving.ts';
import type { RiskChoice } from '../queries.ts';
import { describeRisk, MODES, type RiskText, toChoice, toText } from '../words/policy-words.ts';
import { PointsFields } from './points-fields.tsx';
import { RiskPreviewBox } from './risk-preview.tsx';

interface RiskFormProps {
  readonly program: Program;
  readonly before: RiskChoice;
  readonly onDone: () => void;
}

/** The next version of a program's risk policy, and what it would have caught. */
export function RiskForm({ program, before, onDone }: RiskFormProps) {
  const { id: programId, projectId } = program;
  const [text, setText] = useState<RiskText>(toText(before));
  const [effectiveAt, setEffectiveAt] = useState('');
  const choice = toChoice(text);
  const saving = useSaving(
    (body: RiskChoice) => {
      return answerOf(
        api.POST('/v1/programs/{programId}/risk-policies', {
          params: { path: { programId } },
          body: { projectId, ...body, ...effectiveFrom(effectiveAt) },
        }),
      );
    },
    'The new risk policy is published.',
    { onSaved: onDone },
  );
  const unsaved = useUnsaved(
    effectiveAt !== '' || hasChanged(toText(before), text),
    saving.isPending,
  );
  const issues = readIssues(saving.error, [
    'effectiveAt',
    'reviewAt',
    ...Object.keys(text.points).map((signal) => `points.${signal}`),
  ]);
  return (
    <>
      <VersionForm
        effectiveAt={effectiveAt}
        onEffectiveAt={setEffectiveAt}
        issues={issues}
        isPending={saving.isPending}
        isValid={choice !== null}
        onPublish={() => choice && saving.mutate(choice)}
        onCancel={onDone}
      >
        <Radio.Group
          label="Mode"
          value={text.mode}
          onChange={(mode) => setText({ ...text, mode: mode as RiskText['mode'] })}
        >
          <SimpleGrid cols={{ base: 1, sm: 3 }} mt="xs">
            {Object.entries(MODES).map(([mode, { label, meaning }]) => (
              <Radio.Card key={mode} value={mode} className="option-card">
                <Group gap="xs" wrap="nowrap">
                  <Radio.Indicator />
                  <Text fw={600}>{label}</Text>
                </Group>
                <Text size="sm" mt={6}>
                  {meaning}
                </Text>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
        {text.mode !== 'off' && (
          <>
            <TextInput
              label="Review from a score of"
              description="The score is the sum of the points of all signals that fire, 100 at most."
              inputMode="numeric"
              required
              maw={320}
              value={text.reviewAt}
              error={
                issues.of('reviewAt') ??
                (toChoice({ ...text, points: toText(before).points })
                  ? undefined
                  : 'A whole number from 1 to 100')
              }
              onChange={(event) => setText({ ...text, reviewAt: event.currentTarget.value })}
            />
            <Divider label="Points of each signal" labelPosition="left" />
            <PointsFields
              points={text.points}
              issueOf={(signal) => issues.of(`points.${signal}`)}
              onChange={(points) => setText({ ...text, points })}
            />
          </>
        )}
        {choice && <Meaning sentences={describeRisk(choice)} isLive />}
        <RiskPreviewBox program={program} choice={choice} />
      </VersionForm>
      {unsaved.question}
    </>
  );
}
