import { Accordion, Grid, Group, Select, Stack, TextInput } from '@mantine/core';
import { exponentOf } from '../../../ui/currencies.ts';
import { Choice } from './choice.tsx';
import { ConditionFields } from './conditions/condition-fields.tsx';
import { CurrencySelect } from './currency-select.tsx';
import { BENEFITS, REFUNDS, ROUNDINGS } from './diff-terms.ts';
import type { TermsFieldsProps } from './field-props.ts';
import { GrowthFields } from './growth/growth-fields.tsx';
import { keyOf, partsOf, type TermsForm } from './terms-form.ts';

const choices = <T extends string>(labels: Record<T, string>) =>
  (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value] }));

/** The benefit: what, how much, how long and how often. */
export function TermsFields(props: TermsFieldsProps) {
  const { form, onChange, errors, rule } = props;
  const { mayLast, isCustom } = partsOf(form, rule);
  return (
    <Stack>
      <Choice
        label="What they get"
        value={form.benefitKind}
        data={choices(BENEFITS)}
        onChange={(benefitKind) => onChange({ benefitKind })}
      />
      <HowMuch {...props} />
      {isCustom && <UnitFields {...props} />}
      <GrowthFields {...props} />
      {mayLast && <Duration {...props} />}
      <ConditionFields
        conditions={form.conditions}
        eventType={rule.eventType}
        errors={errors}
        onChange={(conditions) => onChange({ conditions })}
      />
      <TextInput
        label="At most, for each person"
        description="How many of these rewards one person can get in total. If empty, there is no limit."
        placeholder="No limit"
        inputMode="numeric"
        value={form.cap}
        error={errors.cap}
        onChange={(event) => onChange({ cap: event.currentTarget.value })}
      />
      <FinePrint {...props} />
    </Stack>
  );
}

function HowMuch(props: TermsFieldsProps) {
  const { form, onChange, errors, rule, hasCurrency = true } = props;
  const { mayBeShare, isShare, isAmount, hasSteps } = partsOf(form, rule);
  const exponent = exponentOf(form.currency) ?? 2;
  return (
    <>
      {mayBeShare && (
        <Choice
          label="How much"
          value={form.calculation}
          data={[
            { value: 'fixed', label: 'A fixed amount' },
            { value: 'percentage', label: 'A share of the price' },
          ]}
          onChange={(calculation) => onChange({ calculation })}
        />
      )}
      {isAmount && (
        <Grid gap="sm">
          {!hasSteps && (
            <Grid.Col span={{ base: 12, xs: hasCurrency ? 6 : 12 }}>
              <TextInput
                label={hasCurrency ? 'Amount' : `Amount in ${form.currency}`}
                description={
                  exponent === 0 ? 'Without decimals' : `With up to ${exponent} decimals`
                }
                inputMode="decimal"
                required
                value={form.amount}
                error={errors.amount}
                onChange={(event) => onChange({ amount: event.currentTarget.value })}
              />
            </Grid.Col>
          )}
          {hasCurrency && (
            <Grid.Col span={{ base: 12, xs: 6 }}>
              <CurrencySelect
                label="Currency"
                description="Amounts are never converted"
                value={form.currency}
                error={errors.currency}
                onChange={(currency) => onChange({ currency })}
              />
            </Grid.Col>
          )}
        </Grid>
      )}
      {isShare && !hasSteps && (
        <TextInput
          label={form.benefitKind === 'discount' ? 'Percent off' : 'Percent of the price'}
          description={
            form.benefitKind === 'discount' ? undefined : 'Paid in the currency of the purchase.'
          }
          inputMode="decimal"
          required
          rightSection="%"
          value={form.rate}
          error={errors.rate}
          onChange={(event) => onChange({ rate: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function UnitFields({ form, onChange, errors, rule }: TermsFieldsProps) {
  const { hasSteps } = partsOf(form, rule);
  return (
    <Grid gap="sm">
      {!hasSteps && (
        <Grid.Col span={{ base: 12, xs: 4 }}>
          <TextInput
            label="How many"
            inputMode="numeric"
            required
            value={form.quantity}
            error={errors.quantity}
            onChange={(event) => onChange({ quantity: event.currentTarget.value })}
          />
        </Grid.Col>
      )}
      <Grid.Col span={{ base: 12, xs: 4 }}>
        <TextInput
          label="One is called"
          placeholder="free month"
          required
          value={form.unitName}
          error={errors.unitName}
          onChange={(event) => onChange({ unitName: event.currentTarget.value })}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 4 }}>
        <TextInput
          label="Several are called"
          placeholder="free months"
          value={form.unitNamePlural}
          error={errors.unitNamePlural}
          onChange={(event) => onChange({ unitNamePlural: event.currentTarget.value })}
        />
      </Grid.Col>
    </Grid>
  );
}

function Duration({ form, onChange, errors }: TermsFieldsProps) {
  const isDiscount = form.benefitKind === 'discount';
  return (
    <Stack gap="xs">
      <Choice
        label={isDiscount ? 'How long the discount lasts' : 'How often'}
        value={form.durationMode}
        data={[
          { value: 'once', label: isDiscount ? 'One purchase' : 'Only the first time' },
          { value: 'months', label: 'Some months' },
          { value: 'forever', label: isDiscount ? 'Without end' : 'Every time' },
        ]}
        onChange={(durationMode) => onChange({ durationMode })}
      />
      {form.durationMode === 'months' && (
        <TextInput
          label="Months"
          description={isDiscount ? undefined : 'Counted from the first time it is earned.'}
          inputMode="numeric"
          required
          maw={320}
          value={form.durationMonths}
          error={errors.durationMonths}
          onChange={(event) => onChange({ durationMonths: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}

/** Settings whose defaults suit nearly everybody. */
function FinePrint({ form, onChange, errors, rule }: TermsFieldsProps) {
  const { isRounded, isRefunded, isCustom } = partsOf(form, rule);
  if (!isRounded && !isRefunded && !isCustom) return null;
  return (
    <Accordion variant="contained" chevronPosition="left">
      <Accordion.Item value="fine-print">
        <Accordion.Control>Fine print</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {isRefunded && (
              <Select
                label="When the purchase is refunded"
                data={choices(REFUNDS)}
                allowDeselect={false}
                value={form.refundPolicy}
                onChange={(value) => onChange({ refundPolicy: value as TermsForm['refundPolicy'] })}
              />
            )}
            {isRounded && (
              <Select
                label="Rounding to the smallest coin"
                data={choices(ROUNDINGS)}
                allowDeselect={false}
                value={form.roundingPolicy}
                onChange={(value) =>
                  onChange({ roundingPolicy: value as TermsForm['roundingPolicy'] })
                }
              />
            )}
            {isCustom && (
              <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
                <TextInput
                  label="Valid for (days)"
                  description="Counted from the grant. If empty, it never expires."
                  inputMode="numeric"
                  miw={200}
                  value={form.validityDays}
                  error={errors.validityDays}
                  onChange={(event) => onChange({ validityDays: event.currentTarget.value })}
                />
                <TextInput
                  label="Key in the API"
                  description="A key keeps its names for the whole project."
                  placeholder={keyOf(form.unitName)}
                  miw={200}
                  value={form.unitKey}
                  error={errors.unitKey}
                  onChange={(event) => onChange({ unitKey: event.currentTarget.value })}
                />
              </Group>
            )}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
