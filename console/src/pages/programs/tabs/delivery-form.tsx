import { Alert, Anchor, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlertIcon } from 'lucide-react';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { useMay, useMayAdminister } from '../../../app/session.ts';
import { readIssues } from '../../../ui/form-issues.ts';
import { FormSection } from '../../../ui/form-section.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useEdited } from '../../../ui/use-edited.ts';
import {
  BENEFIT_KINDS,
  type BenefitKind,
  describeMethod,
  hastyEndpoints,
  missingMethod,
} from '../delivery-words.ts';
import type { Delivery, Program } from '../queries.ts';
import { BENEFITS } from '../terms/diff-terms.ts';
import { useSaving } from '../use-saving.ts';
import { PlanUpgrades, type UpgradeText, upgradeFault } from './plan-upgrades.tsx';

type Methods = Record<`${BenefitKind}Method`, string>;

const valuesOf = (saved: Delivery) => ({
  holdDays: String(saved.holdDays),
  cashMethod: saved.cashMethod,
  creditMethod: saved.creditMethod,
  discountMethod: saved.discountMethod,
  customMethod: saved.customMethod,
  planUpgrades: saved.planUpgrades.map(
    ({ unitKey, plan, periods }): UpgradeText => ({ unitKey, plan, periods: String(periods) }),
  ),
});

export function DeliveryForm({ program, saved }: { program: Program; saved: Delivery }) {
  const { id: programId, projectId } = program;
  const { values, set, isChanged, reset } = useEdited(valuesOf(saved));
  const unsaved = useUnsaved(isChanged);
  const saving = useSaving(
    () => {
      const { holdDays, planUpgrades, ...methods } = values;
      return answerOf(
        api.PUT('/v1/programs/{programId}/delivery-settings', {
          params: { path: { programId } },
          body: {
            projectId,
            ...methods,
            holdDays: Number(holdDays),
            planUpgrades: planUpgrades.map((one) => ({ ...one, periods: Number(one.periods) })),
          },
        }),
      );
    },
    'Delivery settings saved. They apply to rewards earned from now on.',
    { onRead: reset },
  );
  const { error } = saving;
  const days = /^\d{1,3}$/.test(values.holdDays.trim()) ? Number(values.holdDays) : 366;
  const holdFault = days > 365 ? 'A whole number from 0 to 365' : undefined;
  const isFaulty = Boolean(holdFault) || values.planUpgrades.some(upgradeFault);
  const issues = readIssues(error, [
    'holdDays',
    'planUpgrades',
    ...BENEFIT_KINDS.map((kind) => `${kind}Method`),
  ]);
  return (
    <Paper withBorder className="section">
      <form
        className="form-sections"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFaulty) saving.mutate(undefined);
        }}
      >
        <FormSection
          title="How rewards reach people"
          intro="A change counts for rewards earned from then on; those that are earned keep the settings they were earned under."
        >
          {BENEFIT_KINDS.map((kind) => (
            <MethodField
              key={kind}
              kind={kind}
              method={values[`${kind}Method`]}
              options={saved.options}
              error={issues.of(`${kind}Method`)}
              onChange={(method) => set({ [`${kind}Method`]: method } as Partial<Methods>)}
            />
          ))}
          <HastyWarning methods={BENEFIT_KINDS.map((kind) => values[`${kind}Method`])} />
        </FormSection>
        <FormSection
          title="Hold"
          intro="Time for refunds, before the service itself delivers or pays. A grant you record yourself never waits."
        >
          <TextInput
            label="Hold rewards for (days)"
            inputMode="numeric"
            required
            maw={240}
            value={values.holdDays}
            error={holdFault ?? issues.of('holdDays')}
            onChange={(event) => set({ holdDays: event.currentTarget.value })}
          />
        </FormSection>
        <PlanUpgrades
          rows={values.planUpgrades}
          error={error}
          onChange={(planUpgrades) => set({ planUpgrades })}
        />
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <SaveBar
          isChanged={isChanged}
          isBusy={saving.isPending}
          isValid={!isFaulty}
          onDiscard={reset}
        />
      </form>
      {unsaved.question}
    </Paper>
  );
}

interface MethodFieldProps {
  readonly kind: BenefitKind;
  readonly method: string;
  readonly options: Delivery['options'];
  readonly error: string | undefined;
  readonly onChange: (method: string) => void;
}

/** Only connected methods can be chosen; a method whose connection was lost may stay. */
function MethodField({ kind, method, options, error, onChange }: MethodFieldProps) {
  const { id: projectId } = useProject();
  const mayAdminister = useMayAdminister();
  const missing = missingMethod(kind, options);
  const choices = options[kind].includes(method) ? options[kind] : [...options[kind], method];
  const isLost = !options[kind].includes(method);
  return (
    <Stack gap={6}>
      <Select
        label={BENEFITS[kind]}
        description={describeMethod(method).meaning}
        data={choices.map((value) => ({ value, label: describeMethod(value).label }))}
        allowDeselect={false}
        maw={420}
        value={method}
        error={
          error ??
          (isLost
            ? 'Its connection was removed. Rewards wait until it is connected again.'
            : undefined)
        }
        onChange={(value) => onChange(value ?? method)}
      />
      {missing && (
        <Text size="sm" c="dimmed">
          {describeMethod(missing).label}: needs Stripe.{' '}
          {mayAdminister ? (
            <Anchor
              component={Link}
              underline="always"
              to="/p/$projectId/integrations"
              params={{ projectId } as never}
            >
              Connect it
            </Anchor>
          ) : (
            'An owner or admin can connect it.'
          )}
        </Text>
      )}
    </Stack>
  );
}

/**
 * An endpoint that answers everything with 200 would mark rewards as granted that nobody granted.
 */
function HastyWarning({ methods }: { methods: readonly string[] }) {
  const mayRead = useMay('webhooks:read');
  const isManual = methods.includes('manual');
  const { id: projectId } = useProject();
  const endpoints = useQuery({
    queryKey: ['webhook-endpoints', projectId, 'hasty'],
    queryFn: async ({ signal }) =>
      answerOf(api.GET('/v1/webhook-endpoints', { params: { query: { projectId } }, signal })),
    enabled: mayRead && isManual,
  });
  const hasty = hastyEndpoints(methods, endpoints.data?.endpoints ?? []);
  if (hasty.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<TriangleAlertIcon />}
      title="A webhook endpoint would record grants"
    >
      Rewards given “by hand” are marked as granted as soon as{' '}
      {hasty.map(({ url }) => url).join(', ')} answers 2xx to <code>reward.earned</code>. Set the
      endpoint to explicit fulfilment, or let it answer 202.
    </Alert>
  );
}
