import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { When } from '../../ui/when.tsx';
import { ProgramLink } from '../people/names.tsx';
import type { ParticipantDetail } from '../people/queries.ts';

type Enrollment = ParticipantDetail['enrollments'][number];

/** The programs they take part in, and those they left. */
export function Enrollments({ enrollments }: { enrollments: readonly Enrollment[] }) {
  const mayEnd = useMay('referrals:write');
  const [ending, setEnding] = useState<Enrollment | null>(null);
  if (enrollments.length === 0) return null;
  return (
    <Section title="Programs">
      <Stack gap="sm">
        {enrollments.map((enrollment) => (
          <Group key={enrollment.id} justify="space-between" wrap="nowrap" align="flex-start">
            <div className="two-lines">
              <ProgramLink id={enrollment.programId} />
              <span>
                Since <When at={enrollment.startsAt} />
                {enrollment.endsAt && (
                  <>
                    , left <When at={enrollment.endsAt} />
                  </>
                )}
              </span>
            </div>
            {mayEnd && enrollment.endsAt === null && (
              <Button size="xs" variant="default" onClick={() => setEnding(enrollment)}>
                End
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <EndEnrollment enrollment={ending} onClose={() => setEnding(null)} />
    </Section>
  );
}

function EndEnrollment(props: { enrollment: Enrollment | null; onClose: () => void }) {
  const { enrollment, onClose } = props;
  const project = useProject();
  const queries = useQueryClient();
  const end = async () => {
    if (!enrollment) return;
    await answerOf(
      api.POST('/v1/enrollments/{enrollmentId}/end', {
        params: { path: { enrollmentId: enrollment.id } },
        body: { projectId: project.id },
      }),
    );
  };
  return (
    <Confirm
      opened={enrollment !== null}
      onClose={onClose}
      title="End this enrollment?"
      action="End the enrollment"
      isDangerous
      onConfirm={end}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['participants', project.id] });
        notifyDone('The enrollment has ended.');
      }}
    >
      <Stack gap="xs">
        <Text>
          Their links in this program still lead to the landing page but no longer refer anyone.
          Purchases of people they referred earn them nothing from now on.
        </Text>
        <Text>
          Rewards they have earned stay. An ended enrollment cannot be resumed; they can be enrolled
          anew.
        </Text>
      </Stack>
    </Confirm>
  );
}
