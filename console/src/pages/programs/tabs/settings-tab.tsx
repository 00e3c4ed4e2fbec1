import { Group, List, Paper, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { readIssues } from '../../../ui/form-issues.ts';
import { FormSection } from '../../../ui/form-section.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useEdited } from '../../../ui/use-edited.ts';
import { When } from '../../../ui/when.tsx';
import { ApplicationAddress } from '../application-address.tsx';
import { landingPageFault } from '../landing-page.ts';
import { checkBrand } from '../preview/widget-form.ts';
import { type Program, useProjectNow } from '../queries.ts';
import { ENDED_FOR_GOOD, movesOf } from '../status-moves.ts';
import { useMoveFacts } from '../use-moves.ts';
import { useSaving } from '../use-saving.ts';
import { BRAND_PATHS, BrandFields } from './brand-fields.tsx';
import { changeOf, endsNow, valuesOf } from './settings-values.ts';

const LANDING = 'config.brandConfig.landingPageUrl';
const OPEN = 'config.partnerApplicationsOpen';
const BOARD = 'config.partnerLeaderboard';
const PRODUCT = 'config.widgetConfig.productName';

export default function SettingsTab({ program }: { program: Program }) {
  return useMay('programs:write') ? (
    <SettingsForm program={program} />
  ) : (
    <Paper withBorder className="section">
      <Facts
        rows={[
          ['Name', program.name],
          ['Begins', <When key="from" at={program.startDate} fallback="When activated" />],
          ['Ends', <When key="to" at={program.endDate} fallback="No end date" />],
          ['Links lead to', program.config.brandConfig.landingPageUrl || 'Not set yet'],
        ]}
      />
    </Paper>
  );
}

function SettingsForm({ program }: { program: Program }) {
  const { id: programId, projectId, kind, status } = program;
  const { environment, projectKey } = useProject();
  const now = useProjectNow();
  const saved = valuesOf(program);
  const { values, set, isChanged, reset } = useEdited(saved);
  const change = changeOf(saved, values);
  const unsaved = useUnsaved(isChanged);
  const [isAsking, setAsking] = useState(false);
  const saving = useSaving(
    () =>
      answerOf(
        api.PATCH('/v1/programs/{programId}', {
          params: { path: { programId } },
          body: { projectId, ...change },
        }),
      ),
    'Settings saved.',
    { onSaved: () => setAsking(false), onRead: reset },
  );
  const isOver = status === 'ended' || status === 'archived';
  // One that was ended by hand does not run again: the service refuses a later date.
  const endedByDate =
    status === 'ended' && program.endDate !== null && Date.parse(program.endDate) <= now;
  const hasBegun =
    (status === 'active' || status === 'paused') &&
    (program.startDate === null || Date.parse(program.startDate) <= now);
  const isEnding = endsNow(values, saved, now) && !isOver && status !== 'draft';
  const ending = movesOf(useMoveFacts(program)).find(({ to }) => to === 'ended');
  const landingFault = landingPageFault(values.landingPageUrl, environment);
  const nameFault = values.name.trim() === '' ? 'Give it a name' : undefined;
  const brandFaults = kind === 'affiliate' ? checkBrand(values) : {};
  const isFaulty = Boolean(landingFault || nameFault) || Object.keys(brandFaults).length > 0;
  const shown = ['name', LANDING, 'startDate', 'endDate', OPEN, BOARD, PRODUCT, ...BRAND_PATHS];
  const issues = readIssues(saving.error, shown);
  return (
    <Paper withBorder className="section">
      <form
        className="form-sections"
        onSubmit={(event) => {
          event.preventDefault();
          if (isFaulty) return;
          if (isEnding) setAsking(true);
          else saving.mutate(undefined);
        }}
      >
        <FormSection
          title="General"
          intro={kind === 'loyalty' ? 'Its name.' : 'Its name, and where its links lead.'}
        >
          <TextInput
            label="Name"
            description="Visible to you, to partners and in the API."
            required
            maxLength={120}
            value={values.name}
            error={nameFault ?? issues.of('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          {kind !== 'loyalty' && (
            <TextInput
              label="Landing page"
              description="The page that links lead to. It must include the landing script."
              type="url"
              maxLength={2048}
              placeholder="https://example.com/welcome"
              value={values.landingPageUrl}
              error={landingFault ?? issues.of(LANDING)}
              onChange={(event) => set({ landingPageUrl: event.currentTarget.value })}
            />
          )}
        </FormSection>
        <FormSection title="Period" intro="When it runs. Times are in your time zone.">
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <TextInput
              label="Begins"
              description={
                hasBegun
                  ? 'It has started, so this can no longer change.'
                  : 'If empty, it starts when it is activated.'
              }
              type="datetime-local"
              miw={220}
              disabled={hasBegun || isOver}
              value={values.startDate}
              error={issues.of('startDate')}
              onChange={(event) => set({ startDate: event.currentTarget.value })}
            />
            <TextInput
              label="Ends"
              description={
                endedByDate
                  ? 'It has ended. With a later date it runs again; what happened in between earns nothing.'
                  : isOver
                    ? 'It has ended, so this can no longer change.'
                    : 'If empty, it runs until you end it.'
              }
              type="datetime-local"
              miw={220}
              disabled={isOver && !endedByDate}
              value={values.endDate}
              error={issues.of('endDate')}
              onChange={(event) => set({ endDate: event.currentTarget.value })}
            />
          </Group>
          {isEnding && (
            <Text size="sm" fw={600} role="status">
              This end date has passed. Saving ends the program now.
            </Text>
          )}
        </FormSection>
        {kind === 'affiliate' && (
          <FormSection title="Partners" intro="How partners join, and what they see of each other.">
            <Switch
              label="Partners may apply"
              description="On the page below, or on your own page by the API; you approve them under Partners."
              checked={values.isOpen}
              error={issues.of(OPEN)}
              onChange={(event) => set({ isOpen: event.currentTarget.checked })}
            />
            {saved.isOpen && <ApplicationAddress projectKey={projectKey} programId={programId} />}
            <Switch
              label="Show partners a leaderboard"
              description="On their page: the ten partners with the most referrals, with masked names and without amounts, once three have referrals."
              checked={values.hasLeaderboard}
              error={issues.of(BOARD)}
              onChange={(event) => set({ hasLeaderboard: event.currentTarget.checked })}
            />
          </FormSection>
        )}
        {kind === 'affiliate' && (
          <FormSection
            title="Look"
            intro="How your product appears to partners: on the page to apply, on their page and in mails."
          >
            <TextInput
              label="Name of your product"
              description="If empty, the name of your workspace is shown."
              maxLength={80}
              value={values.productName}
              error={issues.of(PRODUCT)}
              onChange={(event) => set({ productName: event.currentTarget.value })}
            />
            <BrandFields brand={values} errors={brandFaults} issues={issues} onChange={set} />
          </FormSection>
        )}
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <SaveBar
          isChanged={isChanged}
          isBusy={saving.isPending}
          isValid={Object.keys(change).length > 0}
          onDiscard={reset}
        />
      </form>
      {unsaved.question}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="End this program now?"
        action="Save and end it"
        isDangerous
        onConfirm={() => saving.mutateAsync(undefined)}
      >
        <List spacing={6}>
          {ending?.effects
            .filter((effect) => effect !== ENDED_FOR_GOOD)
            .map((effect) => (
              <List.Item key={effect}>{effect}</List.Item>
            ))}
          <List.Item>With a later end date it runs again, from then on.</List.Item>
        </List>
      </Confirm>
    </Paper>
  );
}
