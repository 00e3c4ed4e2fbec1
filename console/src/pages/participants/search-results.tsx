import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { subjectOf } from '../../app/find-place.ts';
import { useProject } from '../../app/project.ts';
import { keepOfProject } from '../../ui/keep-of-project.ts';
import { PersonCell, PersonInline } from '../../ui/person-cell.tsx';
import { EmptyState, ErrorState, Lines } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { humanize } from '../../ui/words.ts';

/** Results by name, e-mail address, external id, code, slug or id, most likely first. */
export function SearchResults({ q }: { q: string }) {
  const project = useProject();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['search', project.id, q],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/search', { params: { query: { projectId: project.id, q } }, signal }),
        )
      ).data,
    placeholderData: keepOfProject(project.id),
    staleTime: 5_000,
  });
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (isPending) return <Lines count={3} height={44} />;
  if (data.length === 0) {
    return (
      <EmptyState title={`Nothing found for “${q}”`}>
        Names are found by the beginning of any of their words. E-mail addresses, external ids,
        codes and slugs are found by their first characters, and ids of the service only in full.
      </EmptyState>
    );
  }
  return (
    <ul className="verdicts" aria-label="Found">
      {data.map(({ type, id, label, detail, participantId, participant }) => (
        <li key={`${type} ${id} ${label}`} className="verdict">
          <div className="verdict-head">
            {type === 'participant' && participant ? (
              <PersonCell id={id} person={participant} />
            ) : (
              <Text span fw={600}>
                <ThingLink {...subjectOf({ type, id, participantId })}>{label}</ThingLink>
              </Text>
            )}
            <Badge variant="light" color="gray" tt="none">
              {humanize(type)}
            </Badge>
          </div>
          {detail && type !== 'participant' && <p>{detail}</p>}
          {participantId && type !== 'participant' && (
            <div className="verdict-about">
              <span>
                Of <PersonInline id={participantId} person={participant ?? undefined} />
              </span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
