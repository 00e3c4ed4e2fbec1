import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MailOpenIcon } from 'lucide-react';
import { useEffect } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { type Project, useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { PersonMark } from '../../ui/person-cell.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { ApplicationAddress } from '../programs/application-address.tsx';
import { programsQuery } from '../programs/queries.ts';
import { ApplicationDialog } from './application-dialog.tsx';
import { APPLICATION_STATES, type Application, stateOfApplication } from './states.ts';

/** The affiliate programs: only they have partners. */
function useAffiliatePrograms(projectId: string) {
  return useQuery({
    ...programsQuery(projectId),
    select: (programs) => programs.filter(({ kind }) => kind === 'affiliate'),
  });
}

const STATE: FilterSpec = {
  kind: 'choice',
  name: 'status',
  label: 'State',
  choices: Object.entries(APPLICATION_STATES).map(([value, { label }]) => ({
    value,
    label: value === 'pending' ? 'Not decided' : label,
  })),
};

const ofProgram = (programs: readonly { id: string; name: string }[]): FilterSpec => ({
  kind: 'choice',
  name: 'programId',
  label: 'Program',
  choices: programs.map(({ id, name }) => ({ value: id, label: name })),
});

export function ApplicationsTab() {
  const project = useProject();
  const [filters, setFilters] = useFilters();
  const { programId, application } = filters;
  const status = filters.status as Application['status'] | undefined;
  const { data: programs = [] } = useAffiliatePrograms(project.id);
  const nameOf = (id: string) => programs.find((one) => one.id === id)?.name ?? id;
  const list = useEndless<Application>(
    ['partner-applications', project.id, status, programId],
    (cursor, signal) =>
      answerOf(
        api.GET('/v1/partner-applications', {
          params: {
            query: {
              projectId: project.id,
              limit: 50,
              status,
              programId,
              cursor: cursor ?? undefined,
            },
          },
          signal,
        }),
      ).then(byCursor),
  );
  const specs: readonly FilterSpec[] = [
    STATE,
    ...(programs.length > 1 || programId ? [ofProgram(programs)] : []),
  ];
  const open = (id: string) => setFilters({ application: id }, { isStep: true });
  const columns: readonly Column<Application>[] = [
    {
      title: 'Applicant',
      cell: ({ id, name, profileType }) => (
        <span className="person">
          <PersonMark id={id} label={name} isGroup={profileType === 'company'} />
          <button type="button" className="link-button" onClick={() => open(id)}>
            <span className="name" title={name ?? undefined}>
              {name ?? 'Erased applicant'}
            </span>
          </button>
        </span>
      ),
    },
    { title: 'E-mail', cell: ({ email }) => email ?? '–' },
    {
      title: 'State',
      width: '10rem',
      cell: (one) => <StatusBadge {...stateOfApplication(one)} />,
    },
    { title: 'Program', cell: (one) => nameOf(one.programId) },
    { title: 'Applied', width: '11rem', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
  const opened = list.rows.find(({ id }) => id === application);
  // A link may name one that is further down the list.
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const isSought = application !== undefined && opened === undefined && hasNextPage;
  useEffect(() => {
    if (isSought && !isFetchingNextPage) void fetchNextPage();
  }, [isSought, isFetchingNextPage, fetchNextPage]);
  return (
    <Stack>
      {application && !opened && !hasNextPage && !list.isPending && (
        <Alert color="orange" variant="light">
          The application does not exist, or the filters hide it.
        </Alert>
      )}
      <FilterChips
        list="partner-applications"
        specs={specs}
        actions={<ExportLink list="partner-applications" filters={{ status, programId }} />}
      />
      <DataTable
        label="Partner applications"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        empty={
          status || programId ? (
            <EmptyState title="No application matches">Remove a filter.</EmptyState>
          ) : (
            <NoApplications project={project} programId={programs[0]?.id} />
          )
        }
      />
      {opened && (
        <ApplicationDialog
          application={opened}
          programName={nameOf(opened.programId)}
          onClose={() => setFilters({ application: undefined })}
        />
      )}
    </Stack>
  );
}

function NoApplications({ project, programId }: { project: Project; programId?: string }) {
  return (
    <Stack>
      <EmptyState icon={<MailOpenIcon size={40} strokeWidth={1.4} />} title="No applications yet">
        {programId
          ? 'People apply on the page below, or with a form on your own page whose backend sends the applications. Applicants prove their e-mail address with a link, then you decide here.'
          : 'First create an affiliate program that accepts applications. Then people can apply with a form on your own page.'}
      </EmptyState>
      {programId && <ApplicationAddress projectKey={project.projectKey} programId={programId} />}
      {programId && (
        <Snippet
          label="a call that applies"
          code={`curl -s ${location.origin}/v1/partner-applications -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({
    projectId: project.id,
    programId,
    name: 'Grace Hopper',
    email: 'grace@example.com',
    profileType: 'individual',
  })}'`}
        />
      )}
    </Stack>
  );
}
