import { Divider, Group, Radio, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import type { Program } from '../../programs/queries.ts';
import { VersionForm } from '../../programs/tabs/version-form.tsx';
import { Meaning } from '../../programs/terms/meaning.tsx';
import type { RiskChoice } from '../queries.ts';
import { describeRisk, MODES, type RiskText, toChoice, toText } from '../words/policy-words.ts';
import { PointsFields } from './points-fields.tsx';
import { RiskPreviewBox } from './risk-preview.tsx';

interface RiskFormProps {
  readonly program: Program;
  readonly before: RiskChoice;
  readonly newest: number;
  readonly onDone: () => void;
}

/** The next version of a program's risk policy, and what it would have caught. */
export function RiskForm({ program, before, newest, onDone }: RiskFormProps) {
  const { id: programId, projectId } = program;
  const [text, setText] = useState<RiskText>(toText(before));
  const choice = toChoice(text);
  return (
    <VersionForm
      version={choice}
      newest={newest}
      isChanged={hasChanged(toText(before), text)}
      publish={(policy) =>
        answerOf(
          api.POST('/v1/programs/{programId}/risk-policies', {
            params: { path: { programId } },
            body: { projectId, ...policy },
          }),
        )
      }
      done="The new risk policy is published."
      paths={['reviewAt', ...Object.keys(text.points).map((signal) => `points.${signal}`)]}
      onClose={onDone}
    >
      {(issues) => (
        <>
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
        </>
      )}
    </VersionForm>
  );
}
