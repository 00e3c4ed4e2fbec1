import { Accordion, Alert, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Money } from '../../ui/money.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import {
  amountIn,
  describeReason,
  type Overview,
  sayGroup,
  saySums,
  type WaitingGroup,
} from './overview-words.ts';
import { RemindButton } from './remind-button.tsx';
import type { Batch } from './states.ts';

function useOverview(filters: { method?: Batch['method']; currency?: string }) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['payouts', projectId, 'overview', filters],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/payout-overview', { params: { query: { projectId, ...filters } }, signal }),
        )
      ).data,
  });
}

/** What can be paid now, and what is owed but waits, by reason. */
export function Owed() {
  const overview = useOverview({});
  if (overview.isError) {
    return <ErrorState error={overview.error} retry={() => void overview.refetch()} />;
  }
  if (!overview.data) return <Lines count={3} />;
  const { payable, waiting } = overview.data;
  return (
    <Section
      title={payable.length === 0 ? 'Nothing to pay right now' : `${saySums(payable)} to pay`}
      intro={
        payable.length === 0
          ? waiting.length === 0
            ? 'Nobody is owed cash that is not in a batch already.'
            : 'Nothing can be paid, for the reasons below.'
          : `A new batch would make ${countOf(
              payable.reduce((sum, { peopleCount }) => sum + peopleCount, 0),
              'transfer',
            )}.`
      }
    >
      <Waiting groups={waiting} summedMax={summedMaxOf(overview.data)} />
    </Section>
  );
}

interface LeftOutProps {
  readonly batch: Batch;
  /** It leaves everybody out. */
  readonly isEmpty: boolean;
}

/** Who a draft leaves out, and why. */
export function LeftOut({ batch, isEmpty }: LeftOutProps) {
  const { method, currency } = batch;
  const overview = useOverview({ method, ...(currency ? { currency } : {}) });
  const data = overview.data;
  if (!data || (data.waiting.length === 0 && !isEmpty)) return null;
  return (
    <Section
      title={isEmpty ? 'Why nobody is paid' : 'Left out of this draft'}
      intro={
        data.waiting.length === 0
          ? whyEmpty(data.payable.length > 0)
          : 'Cash that is owed but not in this draft, and debts, as of now. What is in another open batch is not listed.'
      }
    >
      <Waiting groups={data.waiting} summedMax={summedMaxOf(data)} />
    </Section>
  );
}

const whyEmpty = (isPayableNow: boolean) =>
  isPayableNow
    ? 'What can be paid now became available after this draft was created. Another draft has it.'
    : 'Nobody is owed cash that is not in a batch already.';

interface WaitingProps {
  readonly groups: readonly WaitingGroup[];
  /** Null if the sums contain everything. */
  readonly summedMax: number | null;
}

const summedMaxOf = ({ isComplete, rewardsMax }: Overview) => (isComplete ? null : rewardsMax);

function Waiting({ groups, summedMax }: WaitingProps) {
  return (
    <>
      {groups.length > 0 && (
        <Accordion variant="contained" chevronPosition="left" multiple>
          {groups.map((group) => (
            <Accordion.Item key={group.reason} value={group.reason}>
              <Accordion.Control>
                <Group justify="space-between" gap="xs">
                  <span>
                    <Text span fw={600}>
                      {describeReason(group.reason).label}
                    </Text>{' '}
                    <Text span c="dimmed" size="sm">
                      {countOf(group.peopleCount, 'person', 'people')}
                    </Text>
                  </span>
                  <Text span className="figure">
                    {sayGroup(group)}
                  </Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <People group={group} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      {summedMax !== null && (
        <Alert color="blue" variant="light">
          More is owed than is summed here: amounts and numbers are of the first{' '}
          {summedMax.toLocaleString()} rewards of each delivery method. A batch pays all of it.
        </Alert>
      )}
    </>
  );
}

function People({ group }: { group: WaitingGroup }) {
  const { people, peopleCount, nextAt, reason } = group;
  const ids = [...new Set(people.map(({ participantId }) => participantId))];
  return (
    <Stack gap="sm">
      <Text size="sm">
        {describeReason(reason).meaning}
        {nextAt && (
          <>
            {' '}
            The first becomes available <When at={nextAt} />.
          </>
        )}
      </Text>
      {reason === 'awaiting_payout_details' && (
        <RemindButton participantIds={ids.length === peopleCount ? ids : null} />
      )}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th ta="right">{reason === 'debt' ? 'They owe' : 'Owed'}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((one) => (
            <Table.Tr key={`${one.participantId} ${one.currency}`}>
              <Table.Td>
                <PersonCell id={one.participantId} />
              </Table.Td>
              <Table.Td ta="right">
                <Money
                  amountMinor={amountIn(reason, one.amountMinor)}
                  currency={one.currency}
                  exponent={one.currencyExponent}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {peopleCount > people.length && (
        <Text size="sm" c="dimmed">
          The largest {reason === 'debt' ? 'debts' : 'amounts'} of{' '}
          {countOf(peopleCount, 'person', 'people')}.
        </Text>
      )}
    </Stack>
  );
}
