import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { GiftIcon, PlusIcon } from 'lucide-react';
import { useMay } from '../../../app/session.ts';
import { EmptyState, ErrorState, Lines } from '../../../ui/states.tsx';
import { deliveryQuery, type Program, rulesQuery } from '../queries.ts';
import { NewRule } from '../terms/new-rule.tsx';
import { RuleCard } from '../terms/rule-card.tsx';

export default function RulesTab({ program }: { program: Program }) {
  const { id: programId, projectId, status } = program;
  const rules = useQuery(rulesQuery(projectId, programId));
  const delivery = useQuery(deliveryQuery(projectId, programId));
  const mayWrite = useMay('programs:write') && status !== 'ended' && status !== 'archived';
  const [isOpen, { open, close }] = useDisclosure();
  if (rules.isPending) return <Lines count={5} height={24} />;
  if (rules.isError) return <ErrorState error={rules.error} retry={() => void rules.refetch()} />;
  const add = mayWrite && (
    <Button leftSection={<PlusIcon size={18} />} onClick={open}>
      Add a rule
    </Button>
  );
  return (
    <>
      {rules.data.length === 0 ? (
        <EmptyState icon={<GiftIcon size={36} />} title="Nobody earns anything yet" action={add}>
          A rule says who gets a reward and when: for example, the person who invited, when their
          friend buys for the first time. Its terms say how much. Terms are published in versions,
          so you can change them at any time without touching what was earned before.
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between" align="flex-start">
            <Text maw={640}>
              Each rule gives something to one side for one kind of event. New terms count for what
              happens from then on; what was earned stays as it is.
            </Text>
            {add}
          </Group>
          {rules.data.map(({ rule, versions }) => (
            <RuleCard
              key={rule.id}
              program={program}
              rule={rule}
              versions={versions}
              holdDays={delivery.data?.holdDays ?? null}
              mayWrite={mayWrite}
            />
          ))}
        </>
      )}
      <NewRule
        opened={isOpen}
        onClose={close}
        program={program}
        rules={rules.data.map(({ rule }) => rule)}
        holdDays={delivery.data?.holdDays ?? null}
      />
    </>
  );
}
