import {
  Button,
  Card,
  Group,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Title,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { currencyChoices } from '../../../ui/currencies.ts';
import type { ProgramKind } from '../queries.ts';
import { Choice } from '../terms/choice.tsx';
import { describeTerms } from '../terms/describe-terms.ts';
import { Meaning } from '../terms/meaning.tsx';
import { TermsFields } from '../terms/terms-fields.tsx';
import { toFacts } from '../terms/terms-form.ts';
import { type Role, rolesOf, ruleOf, type Side, sideErrors } from './draft.ts';
import { applyCurrency, applyPreset, currencyOf, presetsFor } from './presets.ts';
import type { StepProps } from './step-props.ts';

const TITLES: Record<ProgramKind, Record<Role, string>> = {
  referral: { referrer: 'The person who invites', referee: 'The invited friend', subject: '' },
  affiliate: { referrer: 'The partner', referee: 'The customer they bring', subject: '' },
  loyalty: { referrer: '', referee: '', subject: 'The customer' },
};

interface StepEarnProps extends StepProps {
  /** Sides whose rule exists. */
  readonly made: readonly Role[];
}

export function StepEarn({ draft, onChange, isTried, made }: StepEarnProps) {
  const roles = rolesOf(draft.kind);
  const currencies = useMemo(currencyChoices, []);
  const currency = currencyOf(draft);
  const isFresh = made.length === 0;
  const [opened, setOpened] = useState<readonly Role[]>(draft.preset === null ? roles : []);
  const setSide = (role: Role, change: Partial<Side>) =>
    onChange({
      preset: null,
      sides: { ...draft.sides, [role]: { ...draft.sides[role], ...change } },
    });
  const presets = presetsFor(draft.kind, currency);
  const choose = (id: string) => {
    const preset = presets.find((one) => one.id === id);
    if (!preset) return;
    setOpened([]);
    onChange(applyPreset(draft, preset));
  };
  return (
    <Stack gap="lg">
      {isFresh && (
        <>
          <Select
            label="Currency"
            description="For fixed amounts. A share of a price is paid in the currency of the purchase."
            data={currencies}
            searchable
            allowDeselect={false}
            maw={360}
            value={currency}
            onChange={(value) => onChange(applyCurrency(draft, value ?? currency))}
          />
          <Radio.Group
            label="Start with a proven offer"
            value={draft.preset ?? ''}
            onChange={choose}
          >
            <SimpleGrid cols={{ base: 1, sm: presets.length === 4 ? 2 : 3 }} mt="xs">
              {presets.map(({ id, title, meaning }) => (
                <Radio.Card key={id} value={id} className="option-card">
                  <Radio.Indicator mb="xs" />
                  <Text fw={600}>{title}</Text>
                  <Text size="sm" mt={4}>
                    {meaning}
                  </Text>
                </Radio.Card>
              ))}
            </SimpleGrid>
          </Radio.Group>
        </>
      )}
      <SimpleGrid cols={{ base: 1, md: roles.length }} spacing="lg">
        {roles.map((role) => (
          <SideCard
            key={role}
            kind={draft.kind}
            role={role}
            side={draft.sides[role]}
            isMade={made.includes(role)}
            isTried={isTried}
            isOpen={opened.includes(role)}
            onOpen={() => setOpened([...opened, role])}
            onChange={(change) => setSide(role, change)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface SideCardProps {
  readonly kind: ProgramKind;
  readonly role: Role;
  readonly side: Side;
  readonly isMade: boolean;
  readonly isTried: boolean;
  /** The sentence describes the whole offer until the user wants to change it. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onChange: (change: Partial<Side>) => void;
}

function SideCard(props: SideCardProps) {
  const { kind, role, side, isMade, isTried, isOpen, onOpen, onChange } = props;
  const { isOn, eventType, terms } = side;
  const rule = ruleOf(side, role);
  const sentences = describeTerms({ kind, ...rule }, toFacts(terms, rule));
  const title = TITLES[kind][role];
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Stack>
        <Title order={3} size="h4">
          {title}
        </Title>
        {isMade ? (
          <Text size="sm">
            This is already created. You can change it later on the program’s page.
          </Text>
        ) : (
          <Switch
            label={isOn ? 'Gets something' : 'Gets nothing'}
            aria-label={`${title} gets something`}
            checked={isOn}
            onChange={(event) => {
              onChange({ isOn: event.currentTarget.checked });
              if (!isOpen) onOpen();
            }}
          />
        )}
        {(isOn || isMade) && <Meaning sentences={sentences} isLive />}
        {isOn && !isMade && !isOpen && (
          <Group>
            <Button variant="default" size="xs" onClick={onOpen}>
              Change the details
            </Button>
          </Group>
        )}
        {isOn && !isMade && isOpen && (
          <>
            <Choice
              label="When"
              value={eventType}
              data={[
                { value: 'signup', label: 'Signup' },
                { value: 'purchase', label: 'Purchase' },
              ]}
              onChange={(value) => onChange({ eventType: value })}
            />
            <TermsFields
              form={terms}
              rule={rule}
              kind={kind}
              mayBecomeBonus
              hasCurrency={false}
              errors={isTried ? sideErrors(side, role) : {}}
              onChange={(change) => onChange({ terms: { ...terms, ...change } })}
            />
          </>
        )}
      </Stack>
    </Card>
  );
}
