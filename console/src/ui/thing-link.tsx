import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { placeOf } from '../app/find-place.ts';
import { useProject } from '../app/project.ts';
import { shortId } from './short-id.ts';

interface ThingLinkProps {
  /** A type of `placeOf`: `participant`, `reward`, … */
  readonly type: string;
  readonly id: string;
  /** Default: this one. */
  readonly projectId?: string | undefined;
  /** Default: the id itself. */
  readonly children?: ReactNode;
}

/** A link to the page of an object of the project. */
export function ThingLink({ type, id, projectId, children }: ThingLinkProps) {
  const project = useProject();
  const place = placeOf(type, id);
  const label = children ?? <code title={id}>{shortId(id)}</code>;
  if (!place) return label;
  return (
    <Anchor
      component={Link}
      to={place.to}
      params={{ projectId: projectId ?? project.id, ...place.params } as never}
      inherit
    >
      {label}
    </Anchor>
  );
}
