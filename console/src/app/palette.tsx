import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { HashIcon, SearchIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { personLabel } from '../ui/person.ts';
import { MarkOf } from '../ui/person-cell.tsx';
import { describeFound } from './describe-found.ts';
import { placeOf, subjectOf } from './find-place.ts';
import { placesFor } from './navigation.ts';
import { useProject } from './project.ts';
import { useMay, useMembership } from './session.ts';

const [store, palette] = createSpotlight();

/** Finds pages by name, and people, codes, events and rewards by what is typed. */
export function Palette({ onClose }: { onClose: () => void }) {
  useEffect(palette.open, []);
  const project = useProject();
  const membership = useMembership(project.workspaceId);
  const maySearch = useMay('participants:read');
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), 200);
  const { data: found = [] } = useQuery({
    queryKey: ['search', project.id, asked],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/search', { params: { query: { projectId: project.id, q: asked } }, signal }),
        )
      ).data,
    enabled: maySearch && asked.length > 0,
    staleTime: 5_000,
  });
  const words = query.trim().toLowerCase();
  const places: SpotlightActionData[] = placesFor({
    membership,
    isSandbox: project.environment === 'sandbox',
  })
    .flatMap((section) => section.places)
    .filter(({ label, words: others = '' }) => `${label} ${others}`.toLowerCase().includes(words))
    .map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      leftSection: <Icon size={20} />,
      onClick: () => void navigate({ to, params: { projectId: project.id } as never }),
    }));
  const things: SpotlightActionData[] = found.flatMap((one) => {
    const subject = subjectOf(one);
    const place = placeOf(subject.type, subject.id);
    const { participant } = one;
    const isPerson = one.type === 'participant' && participant !== null;
    return place
      ? [
          {
            id: `${one.type} ${one.id} ${one.label}`,
            label: isPerson ? personLabel(participant, one.id) : one.label,
            description: describeFound(one),
            leftSection: isPerson ? (
              <MarkOf id={one.id} person={participant} />
            ) : (
              <span className="person-mark">
                <HashIcon size={16} aria-hidden />
              </span>
            ),
            onClick: () =>
              void navigate({
                ...place,
                params: { projectId: project.id, ...place.params } as never,
              }),
          },
        ]
      : [];
  });
  return (
    <Spotlight
      store={store}
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Find' } }}
      onSpotlightClose={onClose}
      query={query}
      onQueryChange={setQuery}
      filter={(_, actions) => actions}
      actions={[
        ...(things.length > 0 ? [{ group: 'Found', actions: things }] : []),
        ...(places.length > 0 ? [{ group: 'Go to', actions: places }] : []),
      ]}
      nothingFound="Nothing by that name, code or id"
      highlightQuery
      searchProps={{
        leftSection: <SearchIcon size={20} />,
        placeholder: 'A page, a name, an e-mail, a code, an id…',
        'aria-label': 'Find a page, a person, a code or an id',
      }}
    />
  );
}
