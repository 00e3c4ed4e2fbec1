import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeftIcon, ChevronLeftIcon, ChevronRightIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProject } from '../app/project.ts';
import { neighboursOf } from './shown-lists.ts';
import { ThingLink } from './thing-link.tsx';

export interface TrailProps {
  /** The list that the page belongs to. */
  readonly list: { readonly label: string; readonly to: string };
  /** A type of `placeOf`. */
  readonly type: string;
  readonly id: string;
}

/** Above the title of a thing: the way back to its list, with the filters it had, and to its neighbours. */
export function Trail({ list, type, id }: TrailProps) {
  const project = useProject();
  const { href, previous, next } = neighboursOf(id);
  const path = list.to.replace('$projectId', project.id);
  const filters = href?.startsWith(`${path}?`) ? href.slice(path.length + 1) : '';
  const search = Object.fromEntries(new URLSearchParams(filters));
  return (
    <Group justify="space-between" gap="xs" className="trail" wrap="nowrap">
      <nav aria-label="Breadcrumb">
        <Anchor
          component={Link}
          to={list.to}
          params={{ projectId: project.id } as never}
          search={search as never}
          className="trail-back"
        >
          <ArrowLeftIcon size={15} aria-hidden />
          {list.label}
        </Anchor>
      </nav>
      {(previous ?? next) !== null && (
        <nav aria-label="In the list" className="trail-steps">
          <Neighbour type={type} id={previous}>
            <ChevronLeftIcon size={15} aria-hidden /> Previous
          </Neighbour>
          <Neighbour type={type} id={next}>
            Next <ChevronRightIcon size={15} aria-hidden />
          </Neighbour>
        </nav>
      )}
    </Group>
  );
}

interface NeighbourProps {
  readonly type: string;
  /** Null at the end of the list. */
  readonly id: string | null;
  readonly children: ReactNode;
}

/** At an end of the list its place stays, so that the other one is always under the pointer. */
function Neighbour({ type, id, children }: NeighbourProps) {
  if (id === null) return <span aria-hidden>{children}</span>;
  return (
    <ThingLink type={type} id={id}>
      {children}
    </ThingLink>
  );
}
