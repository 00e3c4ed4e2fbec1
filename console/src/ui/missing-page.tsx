import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SearchXIcon } from 'lucide-react';
import { ApiError, adviceOn, titleOf } from '../api/errors.ts';
import { useProject } from '../app/project.ts';
import { Page } from './page.tsx';
import { EmptyState, ErrorState, Lines } from './states.tsx';
import type { TrailProps } from './trail.tsx';

interface MissingPageProps {
  readonly title: string;
  readonly trail: TrailProps;
  /** Null while the thing is being read. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** The page of a thing that is not read yet, cannot be read, or does not exist: with the way back to its list. */
export function MissingPage({ title, trail, error, retry }: MissingPageProps) {
  return (
    <Page title={title} trail={trail}>
      {!error && <Lines count={8} />}
      {isUnknown(error) && <Unknown error={error} list={trail.list} />}
      {Boolean(error) && !isUnknown(error) && <ErrorState error={error} retry={retry} />}
    </Page>
  );
}

const isUnknown = (error: unknown) => error instanceof ApiError && error.status === 404;

function Unknown({ error, list }: { error: unknown; list: TrailProps['list'] }) {
  const { id: projectId } = useProject();
  return (
    <EmptyState
      icon={<SearchXIcon size={40} strokeWidth={1.4} />}
      title={titleOf(error).replace(/\.$/, '')}
      action={
        <Button variant="default" component={Link} to={list.to} params={{ projectId } as never}>
          See all {list.label.toLowerCase()}
        </Button>
      }
    >
      {adviceOn(error)}
    </EmptyState>
  );
}
