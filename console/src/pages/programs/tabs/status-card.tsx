import { Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { useMay } from '../../../app/session.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Section } from '../../../ui/section.tsx';
import { describeStatus } from '../program-words.ts';
import { type Program, useProjectNow } from '../queries.ts';
import { type Move, movesOf } from '../status-moves.ts';
import { useMoveFacts } from '../use-moves.ts';
import { useSaving } from '../use-saving.ts';

const DONE: Record<Move['to'], string> = {
  draft: '',
  active: 'The program is active.',
  paused: 'The program is paused.',
  ended: 'The program has ended.',
  archived: 'The program is archived.',
};

/** The program's state, and every possible change with its effects. */
export function StatusCard({ program }: { program: Program }) {
  const { id: programId, projectId } = program;
  const mayWrite = useMay('programs:write');
  const facts = useMoveFacts(program);
  const [asked, setAsked] = useState<Move | null>(null);
  const saving = useSaving(
    (to: Move['to']) =>
      answerOf(
        api.POST('/v1/programs/{programId}/status', {
          params: { path: { programId } },
          body: { projectId, status: to },
        }),
      ),
    asked ? DONE[asked.to] : '',
  );
  const { label, meaning } = describeStatus(program, useProjectNow());
  const moves = mayWrite ? movesOf(facts) : [];
  return (
    <Section
      title={label}
      intro={meaning}
      actions={moves.map((move) => (
        <Button
          key={move.to}
          variant={move.to === 'active' ? 'filled' : 'default'}
          disabled={move.obstacle !== null}
          onClick={() => setAsked(move)}
        >
          {move.action}
        </Button>
      ))}
    >
      {moves.map(
        ({ to, obstacle }) =>
          obstacle && (
            <Text key={to} size="sm">
              {obstacle}
            </Text>
          ),
      )}
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked?.title ?? ''}
        action={asked?.action ?? ''}
        isDangerous={asked?.isDangerous ?? false}
        onConfirm={async () => {
          if (asked) await saving.mutateAsync(asked.to);
        }}
      >
        <List spacing={6}>
          {asked?.effects.map((effect) => (
            <List.Item key={effect}>{effect}</List.Item>
          ))}
        </List>
      </Confirm>
    </Section>
  );
}
