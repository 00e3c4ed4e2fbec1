import { Alert, Paper, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { SaveBar } from '../../ui/save-bar.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useEdited } from '../../ui/use-edited.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGES, TEAM_KINDS } from './mail-words.ts';
import {
  type Language,
  type MailSettings,
  mailKey,
  settingsQuery,
  type TeamKind,
} from './queries.ts';

const SANDBOX_MODES = [
  { value: 'preview', label: 'Send nothing, only list the mails' },
  { value: 'marked', label: 'Send, with [Sandbox] before the subject' },
  { value: 'listed', label: 'Send to these addresses only' },
];

export function SenderTab() {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(settingsQuery(projectId));
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <Lines count={6} height={24} />;
  return (
    <Stack>
      {!data.canSend && (
        <Alert color="orange" title="This installation cannot send mail yet">
          Set SMTP_URL and MAIL_FROM, and restart the service.
        </Alert>
      )}
      <SenderForm saved={data} />
    </Stack>
  );
}

/** Empty fields mean that there is no sender. */
function toSender({ name, address, replyTo }: SenderValues) {
  if ([name, address, replyTo].every((one) => one.trim() === '')) return null;
  return { name: name.trim(), address: address.trim(), replyTo: replyTo.trim() || null };
}

function valuesOf({ sender, language, sandboxMode, sandboxAddresses, teamKinds }: MailSettings) {
  return {
    name: sender?.name ?? '',
    address: sender?.address ?? '',
    replyTo: sender?.replyTo ?? '',
    language,
    sandboxMode,
    sandboxAddresses,
    teamKinds: teamKinds.toSorted(),
  };
}
type SenderValues = ReturnType<typeof valuesOf>;

function SenderForm({ saved }: { saved: MailSettings }) {
  const project = useProject();
  const mayWrite = useMay('programs:write');
  const queryClient = useQueryClient();
  const { values, set, isChanged, reset } = useEdited(valuesOf(saved));
  const { language, sandboxMode, sandboxAddresses, teamKinds } = values;
  const unsaved = useUnsaved(isChanged);
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(
      api.PUT('/v1/projects/{projectId}/mail-settings', {
        params: { path: { projectId: project.id } },
        body: { sender: toSender(values), language, sandboxMode, sandboxAddresses, teamKinds },
      }),
    );
    await queryClient.invalidateQueries({ queryKey: mailKey(project.id) });
    reset();
    notifyDone('Saved.');
  }, JSON.stringify(values));
  const fields = ['sender.name', 'sender.address', 'sender.replyTo', 'sandboxAddresses'];
  const issues = readIssues(error, fields);
  const toggle = (kind: TeamKind) => (event: FormEvent<HTMLInputElement>) => {
    const others = teamKinds.filter((one) => one !== kind);
    set({ teamKinds: (event.currentTarget.checked ? [...others, kind] : others).toSorted() });
  };
  return (
    <Paper withBorder className="section">
      <form className="form-sections" onSubmit={submit}>
        <FormSection
          title="Sender"
          intro="Who mails to participants come from. Without a name and an address, participants get no mail. Publish SPF, DKIM and DMARC records for the domain."
        >
          <TextInput
            label="Name"
            maxLength={80}
            disabled={!mayWrite}
            value={values.name}
            error={issues.of('sender.name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Address"
            type="email"
            placeholder="rewards@example.com"
            disabled={!mayWrite}
            value={values.address}
            error={issues.of('sender.address')}
            onChange={(event) => set({ address: event.currentTarget.value })}
          />
          <TextInput
            label="Reply-to address"
            type="email"
            description="Leave it empty to use the address above."
            disabled={!mayWrite}
            value={values.replyTo}
            error={issues.of('sender.replyTo')}
            onChange={(event) => set({ replyTo: event.currentTarget.value })}
          />
          <Select
            label="Language"
            description="Programs can have another one."
            disabled={!mayWrite}
            allowDeselect={false}
            value={language}
            onChange={(value) => value && set({ language: value as Language })}
            data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          />
        </FormSection>
        {project.environment === 'sandbox' && (
          <FormSection title="Sandbox" intro="What happens to the mails of this test project.">
            <Select
              label="Mails of this sandbox"
              disabled={!mayWrite}
              allowDeselect={false}
              value={sandboxMode}
              onChange={(value) =>
                value && set({ sandboxMode: value as MailSettings['sandboxMode'] })
              }
              data={SANDBOX_MODES}
            />
            {sandboxMode === 'listed' && (
              <TagsInput
                label="Addresses"
                placeholder="Type an address and press Enter"
                disabled={!mayWrite}
                value={sandboxAddresses}
                error={issues.of('sandboxAddresses')}
                onChange={(addresses) => set({ sandboxAddresses: addresses })}
              />
            )}
          </FormSection>
        )}
        <FormSection title="For the team" intro="Members can unsubscribe in each mail.">
          {(Object.keys(TEAM_KINDS) as TeamKind[]).map((kind) => (
            <Switch
              key={kind}
              label={TEAM_KINDS[kind].label}
              description={TEAM_KINDS[kind].meaning}
              disabled={!mayWrite}
              checked={teamKinds.includes(kind)}
              onChange={toggle(kind)}
            />
          ))}
        </FormSection>
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        {mayWrite && <SaveBar isChanged={isChanged} isBusy={isBusy} onDiscard={reset} />}
      </form>
      {unsaved.question}
    </Paper>
  );
}
