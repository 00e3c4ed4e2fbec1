import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react';
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
    <Group justify="space-between" gap="xs" mih={24} wrap="nowrap">
      <nav aria-label="Breadcrumb">
        <Group gap={6} wrap="nowrap">
          <Anchor
            component={Link}
            to={list.to}
            params={{ projectId: project.id } as never}
            search={search as never}
            size="sm"
          >
            {list.label}
          </Anchor>
          <Text span c="dimmed" size="sm" aria-hidden>
            /
          </Text>
        </Group>
      </nav>
      {(previous ?? next) !== null && (
        <nav aria-label="In the list">
          <Group gap="md" wrap="nowrap" fz="sm">
            {previous && (
              <ThingLink type={type} id={previous}>
                <ChevronLeftIcon size={14} aria-hidden /> Previous
              </ThingLink>
            )}
            {next && (
              <ThingLink type={type} id={next}>
                Next <ChevronRightIcon size={14} aria-hidden />
              </ThingLink>
            )}
          </Group>
        </nav>
      )}
    </Group>
  );
}
