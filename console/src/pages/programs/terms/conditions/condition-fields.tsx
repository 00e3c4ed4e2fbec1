import {
  ActionIcon,
  Button,
  Group,
  Input,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { useMemo } from 'react';
import { currencyChoices, exponentOf } from '../../../../ui/currencies.ts';
import { formatMinor } from '../../../../ui/money.tsx';
import type { TermsErrors } from '../terms-form.ts';
import {
  CONDITIONS_MAX,
  type ConditionErrors,
  type ConditionText,
  fieldsOf,
  isList,
  isProperty,
  type Op,
  opsOf,
  PROPERTY,
  startCondition,
  withOp,
} from './condition-form.ts';
import { BILLING_REASONS, FIELDS, KINDS } from './condition-phrase.ts';

interface ConditionFieldsProps {
  readonly conditions: readonly ConditionText[];
  readonly eventType: string;
  readonly errors: TermsErrors;
  readonly onChange: (conditions: readonly ConditionText[]) => void;
}

/** What must hold for the rule to give anything. */
export function ConditionFields(props: ConditionFieldsProps) {
  const { conditions, eventType, errors, onChange } = props;
  return (
    <Input.Wrapper
      label="Only if"
      labelElement="div"
      description="All of these must hold, or the rule gives nothing."
    >
      <Stack gap="sm" mt="xs">
        {conditions.map((condition, place) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name while typed
            key={place}
            number={place + 1}
            condition={condition}
            eventType={eventType}
            errors={{
              field: errors[`conditions.${place}.field`],
              op: errors[`conditions.${place}.op`],
              value: errors[`conditions.${place}.value`],
            }}
            onChange={(next) => onChange(conditions.map((one, at) => (at === place ? next : one)))}
            onRemove={() => onChange(conditions.filter((_, at) => at !== place))}
          />
        ))}
        {conditions.length < CONDITIONS_MAX && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<PlusIcon size={14} />}
              onClick={() => onChange([...conditions, startCondition(PROPERTY)])}
            >
              Add a condition
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface ConditionRowProps {
  readonly number: number;
  readonly condition: ConditionText;
  readonly eventType: string;
  readonly errors: ConditionErrors;
  readonly onChange: (condition: ConditionText) => void;
  readonly onRemove: () => void;
}

const OPS: Record<Op, string> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gte: 'is at least',
  lte: 'is at most',
};

function ConditionRow(props: ConditionRowProps) {
  const { number, condition, eventType, errors, onChange, onRemove } = props;
  const { field, op } = condition;
  const chosen = isProperty(field) ? PROPERTY : field;
  const fields = fieldsOf(eventType);
  const offered = fields.includes(chosen) ? fields : [...fields, chosen];
  const isNamed = isProperty(field);
  return (
    <div className="condition">
      <Select
        aria-label={`Condition ${number}: what`}
        data={offered.map((value) => ({ value, label: FIELDS[value] ?? value }))}
        allowDeselect={false}
        value={chosen}
        error={isNamed ? undefined : errors.field}
        onChange={(value) => onChange(startCondition(value ?? PROPERTY))}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`Remove condition ${number}`}
        onClick={onRemove}
      >
        <Trash2Icon size={16} />
      </ActionIcon>
      <div className="condition-parts">
        {isNamed && (
          <TextInput
            aria-label={`Condition ${number}: name of the property`}
            placeholder="plan"
            maxLength={64}
            value={field.slice(PROPERTY.length)}
            error={errors.field}
            onChange={(event) =>
              onChange({ ...condition, field: `${PROPERTY}${event.currentTarget.value}` })
            }
          />
        )}
        <Select
          aria-label={`Condition ${number}: comparison`}
          data={opsOf(condition).map((value) => ({ value, label: OPS[value] }))}
          allowDeselect={false}
          value={op}
          error={errors.op}
          onChange={(value) => onChange(withOp(condition, (value ?? op) as Op))}
        />
        <ValueInput {...props} />
      </div>
    </div>
  );
}

function ValueInput({ number, condition, errors, onChange }: ConditionRowProps) {
  const { field, op, values } = condition;
  const currencies = useMemo(currencyChoices, []);
  const choices = choicesOf(field, currencies);
  const common = { 'aria-label': `Condition ${number}: value`, error: errors.value };
  const setAll = (next: readonly string[]) => onChange({ ...condition, values: next });
  if (choices && isList(op)) {
    return (
      <MultiSelect
        {...common}
        data={[...choices]}
        searchable
        value={[...values]}
        onChange={setAll}
      />
    );
  }
  if (choices) {
    return (
      <Select
        {...common}
        data={[...choices]}
        searchable={field === 'purchase.currency'}
        allowDeselect={false}
        placeholder="Choose"
        value={values[0] ?? null}
        onChange={(value) => setAll(value === null ? [] : [value])}
      />
    );
  }
  const hint = hintOf(field, values[0]);
  if (isList(op)) {
    return (
      <TagsInput
        {...common}
        placeholder={values.length === 0 ? 'annual, monthly' : ''}
        description={hint}
        inputWrapperOrder={['input', 'description', 'error']}
        value={[...values]}
        onChange={setAll}
      />
    );
  }
  return (
    <TextInput
      {...common}
      placeholder={field === 'purchase.amountMinor' ? '5000' : 'annual'}
      description={hint}
      inputWrapperOrder={['input', 'description', 'error']}
      value={values[0] ?? ''}
      onChange={(event) => setAll([event.currentTarget.value])}
    />
  );
}

type Choices = readonly { readonly value: string; readonly label: string }[];

/** The values of a field that has only a few. */
function choicesOf(field: string, currencies: Choices): Choices | null {
  const of = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  switch (field) {
    case 'purchase.currency':
      return currencies;
    case 'purchase.isFirst':
      return of({ true: 'true', false: 'false' });
    case 'purchase.billingReason':
      return of(BILLING_REASONS);
    case 'participant.kind':
      return of(KINDS);
    default:
      return null;
  }
}

const CENTS = 2;

function hintOf(field: string, value: string | undefined): string | undefined {
  if (field === 'purchase.amountMinor') {
    const typed = value?.trim() ?? '';
    const minor = /^\d{1,15}$/.test(typed) ? typed : '5000';
    const shown = formatMinor(minor, 'USD', exponentOf('USD') ?? CENTS);
    return `In the smallest unit of the currency: ${minor} is ${shown} or ${formatMinor(minor, 'JPY', 0)}.`;
  }
  return isProperty(field) && value !== undefined && /^("|\d)/.test(value)
    ? 'A number, true or false count as such. In quotation marks it is text: "12".'
    : undefined;
}
