import { Anchor, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { countOf } from '../../ui/words.ts';
import { sayReferrals } from './suspension-effects.ts';

/** A partner's participant in a project, with its drafted payouts. */
export const standingQuery = (projectId: string, participantId: string) =>
  queryOptions({
    queryKey: ['partners', 'standing', projectId, participantId],
    queryFn: async ({ signal }) => {
      const [{ data }, drafts] = await Promise.all([
        answerOf(
          api.GET('/v1/participants/{id}', {
            params: { path: { id: participantId }, query: { projectId } },
            signal,
          }),
        ),
        answerOf(
          api.GET('/v1/payouts', {
            params: {
              query: {
                projectId,
                beneficiaryParticipantId: participantId,
                status: 'draft',
                limit: 100,
              },
            },
            signal,
          }),
        ),
      ]);
      return { ...data, draftCount: drafts.data.length };
    },
  });

interface PartnerInProjectProps {
  readonly projectId: string;
  readonly projectName: string;
  readonly participantId: string;
}

export function PartnerInProject({ projectId, projectName, participantId }: PartnerInProjectProps) {
  const { data, error, refetch } = useQuery(standingQuery(projectId, participantId));
  return (
    <Section title={`In ${projectName}`}>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Lines count={4} />
      ) : (
        <>
          <Facts
            rows={[
              ['Participant', <PersonCell key="par" id={participantId} />],
              [
                'Codes',
                <Group key="codes" gap="md">
                  {data.refCodes.map(({ id, code }) => (
                    <IdText key={id} value={code} label="code" />
                  ))}
                  {data.refCodes.length === 0 && <Text span>None</Text>}
                </Group>,
              ],
              [
                'Links',
                <div key="links">
                  {data.links.map(({ id, url, slug }) => (
                    <IdText key={id} value={url ?? slug} label="link" />
                  ))}
                  {data.links.length === 0 && <Text span>None</Text>}
                </div>,
              ],
              ['Brought', sayReferrals(data.referrals.length)],
              ['In drafts', countOf(data.draftCount, 'payout')],
            ]}
          />
          <Anchor
            component={Link}
            to="/p/$projectId/rewards"
            params={{ projectId } as never}
            search={{ beneficiaryParticipantId: participantId } as never}
            w="fit-content"
          >
            Its rewards in {projectName}
          </Anchor>
        </>
      )}
    </Section>
  );
}
