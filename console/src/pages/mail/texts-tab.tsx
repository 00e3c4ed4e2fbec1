import { Select, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MegaphoneIcon } from 'lucide-react';
import { answerOf, api, type Body } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, Lines } from '../../ui/states.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { programsQuery } from '../programs/queries.ts';
import { LANGUAGES, PERSON_KINDS } from './mail-words.ts';
import {
  type Language,
  type MailKind,
  mailKey,
  type ProgramMail,
  programMailQuery,
} from './queries.ts';
import { TextEditor } from './text-editor.tsx';

type Change = Omit<Body<'/v1/programs/{programId}/mail-settings', 'put'>, 'projectId'>;

export function TextsTab() {
  const { id: projectId } = useProject();
  const programs = useQuery(programsQuery(projectId));
  const [filters, setFilters] = useFilters();
  if (programs.error) return <ErrorState error={programs.error} />;
  if (!programs.data) return <Lines count={6} height={24} />;
  const chosen = programs.data.find(({ id }) => id === filters.programId) ?? programs.data[0];
  if (!chosen) {
    return (
      <EmptyState icon={<MegaphoneIcon size={40} />} title="No program yet">
        Mails belong to a program. Create one first.
      </EmptyState>
    );
  }
  return (
    <Stack>
      <Select
        label="Program"
        maw={360}
        allowDeselect={false}
        value={chosen.id}
        onChange={(programId) => setFilters({ programId: programId ?? undefined })}
        data={programs.data.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ProgramMails key={chosen.id} programId={chosen.id} />
    </Stack>
  );
}

function ProgramMails({ programId }: { programId: string }) {
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const mail = useQuery(programMailQuery(projectId, programId));
  const save = useMutation({
    mutationFn: (change: Change) =>
      answerOf(
        api.PUT('/v1/programs/{programId}/mail-settings', {
          params: { path: { programId } },
          body: { projectId, ...change },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: mailKey(projectId) });
      notifyDone('Saved.');
    },
  });
  if (mail.error) return <ErrorState error={mail.error} retry={() => void mail.refetch()} />;
  if (!mail.data) return <Lines count={6} height={24} />;
  const change = (body: Change) => save.mutateAsync(body).then(() => undefined);
  return (
    <>
      <Kinds mail={mail.data} isBusy={save.isPending} change={change} />
      {save.error !== null && <ErrorState error={save.error} />}
      <TextEditor mail={mail.data} saveTexts={(texts) => change({ texts })} />
    </>
  );
}

interface KindsProps {
  readonly mail: ProgramMail;
  readonly isBusy: boolean;
  readonly change: (body: Change) => Promise<void>;
}

function Kinds({ mail, isBusy, change }: KindsProps) {
  const mayWrite = useMay('programs:write');
  const toggle = (kind: MailKind) => {
    const others = mail.kinds.filter((one) => one !== kind);
    void change({ kinds: mail.kinds.includes(kind) ? others : [...others, kind] });
  };
  return (
    <Section title="What is mailed" intro="To participants and partners with an e-mail address.">
      <div className="mail-kinds">
        {(Object.keys(PERSON_KINDS) as MailKind[]).map((kind) => (
          <Switch
            key={kind}
            label={PERSON_KINDS[kind].label}
            description={PERSON_KINDS[kind].meaning}
            checked={mail.kinds.includes(kind)}
            disabled={!mayWrite || isBusy}
            onChange={() => toggle(kind)}
          />
        ))}
      </div>
      <Select
        label="Language"
        maw={360}
        disabled={!mayWrite || isBusy}
        allowDeselect={false}
        value={mail.language ?? ''}
        onChange={(value) => void change({ language: (value || null) as Language | null })}
        data={[
          { value: '', label: 'As the project' },
          ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Section>
  );
}
