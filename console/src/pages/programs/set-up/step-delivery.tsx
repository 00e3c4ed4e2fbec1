import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { useMayAdminister } from '../../../app/session.ts';
import { type BenefitKind, describeMethod } from '../delivery-words.ts';
import { Choice } from '../terms/choice.tsx';
import { Meaning } from '../terms/meaning.tsx';
import { holdOf, kindsOf, methodOf, sayMethod } from './delivery.ts';
import { type DeliveryText, holdFault } from './draft.ts';
import type { StepProps } from './step-props.ts';

interface StepDeliveryProps extends StepProps {
  /** The settings are saved, so they are changed on the program's page. */
  readonly isMade: boolean;
}

const QUESTIONS: Record<BenefitKind, string> = {
  cash: 'How is cash paid?',
  credit: 'How does credit reach people?',
  discount: 'How does a discount reach people?',
  custom: 'How does your own unit reach people?',
};
const HOLDS = ['0', '14', '30', '60'];
const OTHER = 'other';

export function StepDelivery({ draft, onChange, isMade }: StepDeliveryProps) {
  const { environment } = useProject();
  const stripe = useHasStripe();
  const kinds = kindsOf(draft);
  const hold = holdOf(draft, environment);
  const fault = holdFault(hold);
  const set = (change: Partial<DeliveryText>) =>
    onChange({ delivery: { ...draft.delivery, ...change } });
  const sentences = kinds.map((kind) =>
    sayMethod(kind, methodOf(draft, kind), fault ? 0 : Number(hold)),
  );
  if (isMade) {
    return (
      <Stack maw={760}>
        <Meaning sentences={sentences} />
        <Text size="sm">This is already saved. You can change it later on the program’s page.</Text>
      </Stack>
    );
  }
  return (
    <Stack gap="lg" maw={860}>
      {kinds.map((kind) => (
        <Radio.Group
          key={kind}
          label={QUESTIONS[kind]}
          value={methodOf(draft, kind)}
          onChange={(method) => set({ methods: { ...draft.delivery.methods, [kind]: method } })}
        >
          <SimpleGrid cols={{ base: 1, sm: 3 }} mt="xs">
            {choicesOf(kind, stripe).map((method) => (
              <Radio.Card key={method} value={method} className="option-card">
                <Radio.Indicator mb="xs" />
                <Text fw={600}>{describeMethod(method).label}</Text>
                <Text size="sm" mt={4}>
                  {describeMethod(method).meaning}
                </Text>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
      ))}
      <Choice
        label="How long are rewards held first?"
        description="Time for refunds and for a look at unusual referrals, before the service pays or delivers. A grant that your product or team records never waits."
        value={HOLDS.includes(hold) ? hold : OTHER}
        data={[
          { value: '0', label: 'Not at all' },
          { value: '14', label: '14 days' },
          { value: '30', label: '30 days' },
          { value: '60', label: '60 days' },
          { value: OTHER, label: 'Other' },
        ]}
        onChange={(value) => set({ holdDays: value === OTHER ? '' : value })}
      />
      {!HOLDS.includes(hold) && (
        <TextInput
          label="Days"
          inputMode="numeric"
          required
          maw={160}
          value={hold}
          error={hold === '' ? undefined : fault}
          onChange={(event) => set({ holdDays: event.currentTarget.value })}
        />
      )}
      <Meaning sentences={sentences} isLive />
    </Stack>
  );
}

/** The proposal first; a method of Stripe only with a connection. */
function choicesOf(kind: BenefitKind, hasStripe: boolean): readonly string[] {
  const own = ['operator', 'manual'];
  if (kind === 'cash') return ['payout', ...own];
  if (!hasStripe || kind === 'custom') return own;
  return [...own, kind === 'credit' ? 'stripe_balance' : 'stripe_coupon'];
}

function useHasStripe(): boolean {
  const { id: projectId } = useProject();
  const mayAdminister = useMayAdminister();
  const { data } = useQuery({
    queryKey: ['stripe-connections', projectId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/integrations/stripe/connections', {
            params: { query: { projectId } },
            signal,
          }),
        )
      ).data,
    enabled: mayAdminister,
  });
  return data?.some(({ status }) => status !== 'disabled') ?? false;
}
