import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { placeOf } from '../app/find-place.ts';
import { useProject } from '../app/project.ts';

interface ThingLinkProps {
  /** A type of `placeOf`: `participant`, `reward`, … */
  readonly type: string;
  readonly id: string;
  /** Default: the id itself. */
  readonly children?: ReactNode;
}

/** `pay_01ka…x7q2m9`: ids of the same day begin alike, and differ at the end. */
export const shortId = (id: string): string => {
  const mark = id.indexOf('_') + 1;
  return id.length - mark > 10 ? `${id.slice(0, mark)}…${id.slice(-8)}` : id;
};

/** A link to the page of an object of the project. */
export function ThingLink({ type, id, children }: ThingLinkProps) {
  const project = useProject();
  const place = placeOf(type, id);
  const label = children ?? <code title={id}>{shortId(id)}</code>;
  if (!place) return label;
  return (
    <Anchor
      component={Link}
      to={place.to}
      params={{ projectId: project.id, ...place.params } as never}
      inherit
    >
      {label}
    </Anchor>
  );
}
