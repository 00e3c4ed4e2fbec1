import { Grid, Paper } from '@mantine/core';
import { answerOf, api } from '../../../api/client.ts';
import { useMay } from '../../../app/session.ts';
import { readIssues } from '../../../ui/form-issues.ts';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { Section } from '../../../ui/section.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useEdited } from '../../../ui/use-edited.ts';
import { PreviewFrame } from '../preview/preview-frame.tsx';
import {
  checkWidget,
  toConfigChange,
  toShowable,
  toWidgetForm,
  type WidgetForm,
} from '../preview/widget-form.ts';
import type { Program } from '../queries.ts';
import { widgetSnippet } from '../snippets.ts';
import { useSaving } from '../use-saving.ts';
import { WIDGET_PATHS, WidgetFields } from './widget-fields.tsx';

/** The settings of the panel's look, next to the panel itself. */
export default function WidgetTab({ program }: { program: Program }) {
  const mayWrite = useMay('programs:write');
  const saved = toWidgetForm(program.config);
  const edited = useEdited(saved);
  const shown = toConfigChange(toShowable(edited.values, saved));
  return (
    <>
      <Grid gap="xl">
        {mayWrite && (
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <EditForm program={program} edited={edited} />
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, lg: mayWrite ? 6 : 12 }}>
          <div className="preview-sticky">
            <PreviewFrame programName={program.name} config={shown} />
          </div>
        </Grid.Col>
      </Grid>
      <Section
        title="Put it on your pages"
        intro={
          <>
            For pages where users are logged in. <code>/widget-token</code> stands for a route of
            your backend that signs a short token for them; the page’s origin must be allowed.
          </>
        }
      >
        <Snippet
          label="the widget's snippet"
          code={widgetSnippet(window.location.origin, program.projectId, program.id)}
        />
      </Section>
    </>
  );
}

interface EditFormProps {
  readonly program: Program;
  readonly edited: ReturnType<typeof useEdited<WidgetForm>>;
}

function EditForm({ program, edited: { values: form, set, isChanged, reset } }: EditFormProps) {
  const { id: programId, projectId } = program;
  const errors = checkWidget(form);
  const saving = useSaving(
    () =>
      answerOf(
        api.PATCH('/v1/programs/{programId}', {
          params: { path: { programId } },
          body: { projectId, config: toConfigChange(form) },
        }),
      ),
    'The widget is saved. Pages show it the next time they load.',
    { onRead: reset },
  );
  const issues = readIssues(saving.error, WIDGET_PATHS);
  const unsaved = useUnsaved(isChanged);
  return (
    <Paper
      withBorder
      component="form"
      noValidate
      className="section form-sections"
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(errors).length === 0) saving.mutate(undefined);
      }}
    >
      <WidgetFields form={form} errors={errors} issues={issues} onChange={set} />
      {issues.rest !== null && <ErrorState error={issues.rest} />}
      <SaveBar
        isChanged={isChanged}
        isBusy={saving.isPending}
        isValid={Object.keys(errors).length === 0}
        onDiscard={reset}
      />
      {unsaved.question}
    </Paper>
  );
}
