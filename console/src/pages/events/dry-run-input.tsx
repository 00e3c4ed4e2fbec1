import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { FlaskConicalIcon } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useProject } from '../../app/project.ts';
import { currencyChoices } from '../../ui/currencies.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { leaveOut } from '../../ui/form-issues.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import {
  type DryRunBody,
  type DryRunForm,
  EMPTY_FORM,
  FIELD_OF_PATH,
  type FormFaults,
  readDryRun,
} from './dry-run-form.ts';
import { useSources } from './use-sources.ts';

interface DryRunInputProps {
  readonly onRun: (body: DryRunBody) => void;
  /** The last result or refusal no longer matches the input. */
  readonly onChange: () => void;
  readonly isBusy: boolean;
  readonly error: unknown;
}

const currencies = currencyChoices();

export function DryRunInput({ onRun, onChange, isBusy, error }: DryRunInputProps) {
  const project = useProject();
  const [{ externalId = '', refCode = '' }] = useFilters();
  const sources = useSources();
  const [form, setForm] = useState<DryRunForm>({ ...EMPTY_FORM, externalId, refCode });
  const [faults, setFaults] = useState<FormFaults>({});
  const change = (changes: Partial<DryRunForm>) => {
    setForm((before) => ({ ...before, ...changes }));
    setFaults({});
    onChange();
  };
  const sourceNamespaceId = form.sourceNamespaceId || (sources[0]?.id ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newEventId = `dry-run-${crypto.randomUUID()}`;
    const read = readDryRun(project.id, { ...form, sourceNamespaceId }, newEventId);
    if ('faults' in read) setFaults(read.faults);
    else onRun(read.body);
  };
  const { placed, rest } = placeIssues(error);
  const errorOf = (field: keyof DryRunForm) => faults[field] ?? placed[field];
  const text = (field: keyof DryRunForm) => ({
    value: String(form[field] ?? ''),
    error: errorOf(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ [field]: event.currentTarget.value }),
  });
  return (
    <Section title="The event">
      <form onSubmit={submit} noValidate>
        <Stack>
          <SegmentedControl
            aria-label="Type of event"
            value={form.type}
            onChange={(type) => change({ type: type as DryRunForm['type'] })}
            data={[
              { value: 'signup', label: 'Signup' },
              { value: 'purchase', label: 'Purchase' },
              { value: 'custom', label: 'Custom' },
            ]}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Participant"
              description="Your external id, known or new."
              required
              {...text('externalId')}
            />
            <NativeSelect
              label="Kind"
              description="A person and a group may have the same id."
              value={form.kind}
              onChange={(event) =>
                change({ kind: event.currentTarget.value as DryRunForm['kind'] })
              }
              data={[
                { value: 'individual', label: 'Person' },
                { value: 'group', label: 'Group' },
              ]}
            />
            {form.kind === 'group' && (
              <TextInput
                label="Created by"
                description="The person who created the group, if there was one."
                {...text('actorExternalId')}
              />
            )}
            {form.type === 'custom' && (
              <TextInput
                label="Type"
                description="After custom_, as your rules name it."
                leftSection="custom_"
                leftSectionWidth={76}
                required
                {...text('customType')}
              />
            )}
            {form.type === 'signup' && (
              <>
                <TextInput
                  label="Code or slug"
                  description="As the person typed it. It takes precedence over clicks."
                  {...text('refCode')}
                />
                <TextInput
                  label="Handle"
                  description="The value of the cookie service_handle."
                  {...text('handle')}
                />
              </>
            )}
            {form.type === 'purchase' && (
              <>
                <TextInput
                  label="Amount"
                  description="The amount paid after discounts, without tax. If empty, it is unknown."
                  inputMode="decimal"
                  {...text('amount')}
                />
                <NativeSelect
                  label="Currency"
                  description="By ISO 4217."
                  value={form.currency}
                  error={errorOf('currency')}
                  onChange={(event) => change({ currency: event.currentTarget.value })}
                  data={currencies}
                />
              </>
            )}
            <DateTimeInput
              label="Happened"
              description="If empty, the current time of the project’s clock is used."
              value={form.occurredAt}
              error={errorOf('occurredAt')}
              onChange={(occurredAt) => change({ occurredAt })}
            />
            {(sources.length > 1 || errorOf('sourceNamespaceId')) && (
              <NativeSelect
                label="Source"
                description="The application that would send it."
                value={sourceNamespaceId}
                error={errorOf('sourceNamespaceId')}
                onChange={(event) => change({ sourceNamespaceId: event.currentTarget.value })}
                data={sources.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
          </SimpleGrid>
          {rest !== null && <ErrorState error={rest} />}
          <Group>
            <Button type="submit" loading={isBusy} leftSection={<FlaskConicalIcon size={16} />}>
              Try it
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** Shows the service's issues next to their fields; `rest` if some fit no field. */
function placeIssues(error: unknown): { placed: FormFaults; rest: unknown } {
  const issues = error instanceof ApiError ? error.issues : [];
  const placed = Object.fromEntries(
    issues.flatMap(({ path, issue }) => {
      const field = FIELD_OF_PATH[path];
      return field ? [[field, issue]] : [];
    }),
  );
  return { placed, rest: leaveOut(error, ({ path }) => path in FIELD_OF_PATH) };
}
