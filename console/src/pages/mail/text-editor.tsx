import { Button, Code, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { MailFrame } from './mail-frame.tsx';
import { LANGUAGES, PERSON_KINDS } from './mail-words.ts';
import {
  type KindText,
  type Language,
  type MailKind,
  type ProgramMail,
  previewQuery,
} from './queries.ts';

const TYPING_MS = 300;
type Texts = ProgramMail['texts'];

interface TextEditorProps {
  readonly mail: ProgramMail;
  readonly saveTexts: (texts: Texts) => Promise<void>;
}

/** One text of a program, and how the mail looks with it. */
export function TextEditor({ mail, saveTexts }: TextEditorProps) {
  const [kind, setKind] = useState<MailKind>('reward_earned');
  const [language, setLanguage] = useState<Language>(mail.language ?? 'en');
  const [typed, setTyped] = useState<KindText | null>(null);
  const unsaved = useUnsaved(typed !== null);
  const goTo = (go: () => void) =>
    unsaved.before(() => {
      setTyped(null);
      go();
    });
  return (
    <Section title="Texts" intro="The default texts are translated. Write your own where you like.">
      <Group grow maw={560} preventGrowOverflow={false}>
        <Select
          label="Mail"
          allowDeselect={false}
          value={kind}
          onChange={(value) => value && goTo(() => setKind(value as MailKind))}
          data={Object.entries(PERSON_KINDS).map(([value, { label }]) => ({ value, label }))}
        />
        <Select
          label="Text in"
          allowDeselect={false}
          value={language}
          onChange={(value) => value && goTo(() => setLanguage(value as Language))}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <OneText
        key={`${kind} ${language}`}
        {...{ mail, saveTexts, kind, language, typed, setTyped }}
      />
      {unsaved.question}
    </Section>
  );
}

interface OneTextProps extends TextEditorProps {
  readonly kind: MailKind;
  readonly language: Language;
  /** Null until something is typed. */
  readonly typed: KindText | null;
  readonly setTyped: (typed: KindText | null) => void;
}

function OneText({ mail, saveTexts, kind, language, typed, setTyped }: OneTextProps) {
  const place = { projectId: mail.projectId, programId: mail.programId };
  const mayWrite = useMay('programs:write');
  const [text] = useDebouncedValue(typed, TYPING_MS);
  const isWhole = text === null || (text.subject.trim() !== '' && text.body.trim() !== '');
  const asked = { kind, language, text: isWhole ? text : null };
  const preview = useQuery({ ...previewQuery(place, asked), placeholderData: keepPreviousData });
  const own = mail.texts[language]?.[kind];
  const put = async (value: KindText | undefined) => {
    const { [kind]: _, ...others } = mail.texts[language] ?? {};
    const kinds = value === undefined ? others : { ...others, [kind]: value };
    await saveTexts({ ...mail.texts, [language]: kinds } as Texts);
    setTyped(null);
  };
  const saving = useSubmit(() => put(typed ?? undefined));
  const resetting = useSubmit(() => put(undefined));
  const issues = readIssues(preview.error, ['text.subject', 'text.body']);
  const shown = typed ?? preview.data?.template;
  if (!shown)
    return issues.rest ? <ErrorState error={issues.rest} /> : <Lines count={6} height={24} />;
  return (
    <div className="mail-editor">
      <Stack component="form" onSubmit={saving.submit}>
        <TextInput
          label="Subject"
          maxLength={200}
          disabled={!mayWrite}
          value={shown.subject}
          error={issues.of('text.subject')}
          onChange={(event) => setTyped({ ...shown, subject: event.currentTarget.value })}
        />
        <Textarea
          label="Text"
          description="An empty line begins a new paragraph."
          autosize
          minRows={6}
          maxLength={4_000}
          disabled={!mayWrite}
          value={shown.body}
          error={issues.of('text.body')}
          onChange={(event) => setTyped({ ...shown, body: event.currentTarget.value })}
        />
        <Text size="sm" c="dimmed">
          You can use{' '}
          {preview.data?.placeholders.map((name) => (
            <Code key={name} mr={6}>{`{${name}}`}</Code>
          ))}
        </Text>
        {saving.error !== null && <ErrorState error={saving.error} />}
        {mayWrite && (
          <Group>
            <Button type="submit" disabled={typed === null || !isWhole} loading={saving.isBusy}>
              Save text
            </Button>
            {own && (
              <Button variant="default" onClick={() => void resetting.submit()}>
                Use the default text
              </Button>
            )}
            <TestButton {...place} kind={kind} language={language} text={isWhole ? typed : null} />
          </Group>
        )}
      </Stack>
      {preview.data && <MailFrame {...preview.data} />}
    </div>
  );
}

interface TestButtonProps {
  readonly projectId: string;
  readonly programId: string;
  readonly kind: MailKind;
  readonly language: Language;
  readonly text: KindText | null;
}

function TestButton({ projectId, programId, ...asked }: TestButtonProps) {
  const { id } = useProject();
  const { submit, isBusy, error } = useSubmit(async () => {
    const { data } = await answerOf(
      api.POST('/v1/programs/{programId}/mail-tests', {
        params: { path: { programId } },
        body: { projectId: projectId || id, ...asked },
      }),
    );
    notifyDone(`Sent to ${data.sentTo}.`);
  });
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void submit()}>
        Send me a test
      </Button>
      {error !== null && <ErrorState error={error} />}
    </>
  );
}
