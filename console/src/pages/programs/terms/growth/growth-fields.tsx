import {
  ActionIcon,
  Button,
  Checkbox,
  Grid,
  Group,
  Input,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { Choice } from '../choice.tsx';
import { CurrencySelect } from '../currency-select.tsx';
import type { TermsFieldsProps } from '../field-props.ts';
import { partsOf, type TermsForm } from '../terms-form.ts';
import { EarningsChart } from './earnings-chart.tsx';
import {
  type Measure,
  measuresOf,
  type SizeField,
  STEPS_MAX,
  STEPS_MIN,
  type StepText,
  startSteps,
  type Tiers,
} from './growth-form.ts';
import { MEASURES, nounOf, WINDOWS } from './measure-words.ts';

/** How the benefit grows: not at all, in steps, or only at a milestone. */
export function GrowthFields(props: TermsFieldsProps) {
  const { form, onChange, rule, mayBecomeBonus = false } = props;
  const { isMilestone, hasSteps, sizeField } = partsOf(form, rule);
  const mayBeMilestone =
    (mayBecomeBonus || rule.purpose === 'bonus') && measuresOf(rule, true).length > 0;
  const choose = (growth: TermsForm['growth']) =>
    onChange({
      growth,
      ...(growth === 'steps' && form.steps.length < STEPS_MIN
        ? { steps: startSteps(sizeOf(form, sizeField), sizeField) }
        : {}),
    });
  return (
    <Stack gap="sm">
      <Choice
        label="Grows with what they bring"
        value={isMilestone || hasSteps ? form.growth : 'none'}
        data={[
          { value: 'none', label: 'Always the same' },
          { value: 'steps', label: 'In steps' },
          ...(mayBeMilestone ? [{ value: 'milestone', label: 'At a milestone' } as const] : []),
        ]}
        onChange={choose}
      />
      {(isMilestone || hasSteps) && <MeasureFields {...props} />}
      {hasSteps && <StepFields {...props} />}
      {isMilestone && <MilestoneFields {...props} />}
      {(isMilestone || hasSteps) && <EarningsChart form={form} rule={rule} kind={props.kind} />}
    </Stack>
  );
}

const sizeOf = ({ rate, amount, quantity }: TermsForm, field: SizeField) =>
  ({ rateBps: rate, fixedAmountMinor: amount, quantity })[field];

function MeasureFields({ form, onChange, errors, rule, hasCurrency = true }: TermsFieldsProps) {
  const { measure, hasSteps, isAmount, isMilestone } = partsOf(form, rule);
  const asksCurrency = measure === 'revenue' && !isAmount && hasCurrency;
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, xs: 6 }}>
        <Select
          label="Counted by"
          data={measuresOf(rule, isMilestone).map((value) => ({
            value,
            label: MEASURES[value],
          }))}
          allowDeselect={false}
          value={measure}
          error={errors.measure}
          onChange={(value) => onChange({ measure: (value ?? measure) as Measure })}
        />
      </Grid.Col>
      {hasSteps && (
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label="Counted over"
            data={Object.entries(WINDOWS).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            value={form.window}
            error={errors.window}
            onChange={(value) => onChange({ window: (value ?? form.window) as Tiers['window'] })}
          />
        </Grid.Col>
      )}
      {asksCurrency && (
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <CurrencySelect
            label="Currency of the revenue"
            value={form.currency}
            error={errors.currency}
            onChange={(currency) => onChange({ currency })}
          />
        </Grid.Col>
      )}
    </Grid>
  );
}

const SIZES: Record<SizeField, string> = {
  rateBps: 'Percent',
  fixedAmountMinor: 'Amount',
  quantity: 'How many',
};

function StepFields({ form, onChange, errors, rule, kind }: TermsFieldsProps) {
  const { measure, sizeField } = partsOf(form, rule);
  const { steps, currency } = form;
  const set = (place: number, part: Partial<StepText>) =>
    onChange({ steps: steps.map((step, at) => (at === place ? { ...step, ...part } : step)) });
  const unit = measure === 'revenue' ? currency : `${nounOf(measure, kind)}s`;
  const size = sizeField === 'fixedAmountMinor' ? `Amount in ${currency}` : SIZES[sizeField];
  return (
    <Stack gap="xs">
      <div className="growth-step" aria-hidden>
        <Input.Label labelElement="div">From ({unit})</Input.Label>
        <Input.Label labelElement="div">{size}</Input.Label>
      </div>
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name while typed
        <div className="growth-step" key={place}>
          <TextInput
            aria-label={`Step ${place + 1}: from (${unit})`}
            inputMode="decimal"
            readOnly={place === 0 && step.from === '0'}
            variant={place === 0 && step.from === '0' ? 'filled' : 'default'}
            value={step.from}
            error={errors[`steps.${place}.from`]}
            onChange={(event) => set(place, { from: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Step ${place + 1}: ${size}`}
            inputMode="decimal"
            rightSection={sizeField === 'rateBps' ? '%' : undefined}
            value={step.size}
            error={errors[`steps.${place}.size`]}
            onChange={(event) => set(place, { size: event.currentTarget.value })}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove step ${place + 1}`}
            disabled={place === 0 || steps.length <= STEPS_MIN}
            onClick={() => onChange({ steps: steps.filter((_, at) => at !== place) })}
          >
            <Trash2Icon size={16} />
          </ActionIcon>
        </div>
      ))}
      {steps.length < STEPS_MAX && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            onClick={() => onChange({ steps: [...steps, { from: '', size: '' }] })}
          >
            Add a step
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function MilestoneFields({ form, onChange, errors, rule, kind }: TermsFieldsProps) {
  const { measure } = partsOf(form, rule);
  const unit = measure === 'revenue' ? form.currency : `${nounOf(measure, kind)}s`;
  return (
    <Stack gap="sm">
      <TextInput
        label={`Reached at (${unit})`}
        inputMode="decimal"
        required
        maw={220}
        value={form.at}
        error={errors.at}
        onChange={(event) => onChange({ at: event.currentTarget.value })}
      />
      <Checkbox
        label="Again each time as many more are reached"
        checked={form.repeat}
        onChange={(event) => onChange({ repeat: event.currentTarget.checked })}
      />
    </Stack>
  );
}
