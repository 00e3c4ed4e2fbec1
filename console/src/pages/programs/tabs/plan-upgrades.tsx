import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { readIssues } from '../../../ui/form-issues.ts';
import { FormSection } from '../../../ui/form-section.tsx';

export interface UpgradeText {
  readonly unitKey: string;
  readonly plan: string;
  readonly periods: string;
}

/** What the service would refuse in a row; undefined if it is valid. */
export function upgradeFault({ unitKey, plan, periods }: UpgradeText): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(unitKey)) {
    return 'The key: small letters, digits and _, beginning with a letter';
  }
  if (plan.trim() === '' || plan.length > 120) return 'The plan: 1 to 120 characters';
  const count = /^\d{1,2}$/.test(periods) ? Number(periods) : 0;
  return count >= 1 && count <= 36 ? undefined : 'Periods: a whole number from 1 to 36';
}

interface PlanUpgradesProps {
  readonly rows: readonly UpgradeText[];
  readonly error: unknown;
  readonly onChange: (rows: UpgradeText[]) => void;
}

/** The plan behind one of your own units: passed on with each reward, for the product to act on. */
export function PlanUpgrades({ rows, error, onChange }: PlanUpgradesProps) {
  const issueAt = (index: number) => {
    const path = `planUpgrades.${index}`;
    return readIssues(error, [path]).of(path);
  };
  const change = (index: number, part: Partial<UpgradeText>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <FormSection
      title="Plan upgrades"
      intro={
        <>
          The plan that one of your units stands for, such as one <code>pro_month</code> for one
          period of “pro”. Rewards of that unit carry it along for your product.
        </>
      }
    >
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name while typed
        <Stack key={index} gap={4}>
          <Group align="flex-end" gap="xs" wrap="wrap">
            <TextInput
              label="Unit key"
              flex="1 1 9rem"
              value={row.unitKey}
              error={issueAt(index)}
              onChange={(event) => change(index, { unitKey: event.currentTarget.value })}
            />
            <TextInput
              label="Plan"
              flex="1 1 9rem"
              value={row.plan}
              onChange={(event) => change(index, { plan: event.currentTarget.value })}
            />
            <TextInput
              label="Periods"
              flex="0 1 6rem"
              inputMode="numeric"
              value={row.periods}
              onChange={(event) => change(index, { periods: event.currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={`Remove the upgrade for ${row.unitKey || 'this unit'}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <Trash2Icon size={16} />
            </ActionIcon>
          </Group>
          {upgradeFault(row) && (
            <Text size="sm" c="dimmed">
              {upgradeFault(row)}
            </Text>
          )}
        </Stack>
      ))}
      {rows.length < 50 && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            onClick={() => onChange([...rows, { unitKey: '', plan: '', periods: '1' }])}
          >
            Add an upgrade
          </Button>
        </Group>
      )}
    </FormSection>
  );
}
