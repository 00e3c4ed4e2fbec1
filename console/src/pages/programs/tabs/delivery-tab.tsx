import { Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../app/session.ts';
import { Facts } from '../../../ui/facts.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { countOf } from '../../../ui/words.ts';
import { BENEFIT_KINDS, describeMethod } from '../delivery-words.ts';
import { type Delivery, deliveryQuery, type Program } from '../queries.ts';
import { BENEFITS } from '../terms/diff-terms.ts';
import { DeliveryForm } from './delivery-form.tsx';

/** How rewards of each kind are delivered, and how long they are on hold. */
export default function DeliveryTab({ program }: { program: Program }) {
  const { id: programId, projectId } = program;
  const delivery = useQuery(deliveryQuery(projectId, programId));
  const mayWrite = useMay('programs:write');
  if (delivery.isPending) return <Lines count={6} height={24} />;
  if (delivery.isError) {
    return <ErrorState error={delivery.error} retry={() => void delivery.refetch()} />;
  }
  return mayWrite ? (
    <DeliveryForm program={program} saved={delivery.data} />
  ) : (
    <DeliveryFacts delivery={delivery.data} />
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  return (
    <Paper withBorder className="section">
      <Facts
        rows={[
          ['Held for', countOf(delivery.holdDays, 'day')],
          ...BENEFIT_KINDS.map(
            (kind) => [BENEFITS[kind], describeMethod(delivery[`${kind}Method`]).label] as const,
          ),
          ...delivery.planUpgrades.map(
            ({ unitKey, plan, periods }) =>
              [`Each ${unitKey}`, `${plan} for ${countOf(periods, 'period')}`] as const,
          ),
        ]}
      />
    </Paper>
  );
}
