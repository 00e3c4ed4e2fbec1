import { Anchor, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../../app/session.ts';
import { Breakable } from '../../../ui/breakable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { IdText } from '../../../ui/id-text.tsx';
import { RawJson } from '../../../ui/raw-json.tsx';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { When } from '../../../ui/when.tsx';
import { FirstLink } from '../first-link.tsx';
import { Figure } from '../program-card.tsx';
import { describeUnitTotals, KINDS } from '../program-words.ts';
import {
  type Program,
  type ProgramSummary,
  rulesQuery,
  summaryQuery,
  useProjectNow,
} from '../queries.ts';
import { describeTerms } from '../terms/describe-terms.ts';
import { versionInForce } from '../version-in-force.ts';
import { StatusCard } from './status-card.tsx';

export default function OverviewTab({ program }: { program: Program }) {
  const mayShare = useMay('referrals:write');
  const isOpen = program.status === 'draft' || program.status === 'active';
  return (
    <>
      <div className="detail-columns details-last">
        <Stack gap="lg">
          <Brought program={program} />
          <StatusCard program={program} />
          <Promises program={program} />
          {mayShare && isOpen && program.kind === 'referral' && (
            <Section title="Give somebody a link">
              <FirstLink program={program} />
            </Section>
          )}
        </Stack>
        <Stack component="aside" gap="lg" aria-label="About the program">
          <Section title="Details">
            <Facts
              rows={[
                ['Id', <IdText key="id" value={program.id} />],
                ['Kind', KINDS[program.kind].label],
                program.kind === 'loyalty'
                  ? undefined
                  : [
                      'Links lead to',
                      <Breakable
                        key="url"
                        text={program.config.brandConfig.landingPageUrl || 'Not set yet'}
                      />,
                    ],
                ['Begins', <When key="from" at={program.startDate} fallback="When activated" />],
                ['Ends', <When key="to" at={program.endDate} fallback="No end date" />],
                ['Created', <When key="made" at={program.createdAt} />],
                ['Changed', <When key="changed" at={program.updatedAt} />],
              ]}
            />
          </Section>
        </Stack>
      </div>
      <RawJson value={program} />
    </>
  );
}

function Brought({ program }: { program: Program }) {
  const { id: programId, projectId, kind } = program;
  const mayRead = useMay('referrals:read');
  const summary = useQuery({ ...summaryQuery(projectId, programId), enabled: mayRead });
  if (!mayRead) return null;
  if (summary.isError) {
    return <ErrorState error={summary.error} retry={() => void summary.refetch()} />;
  }
  const { data } = summary;
  return (
    <Section title="Results so far">
      <dl className="figures">
        <Figure
          label={kind === 'affiliate' ? 'Partners' : 'Taking part'}
          value={data?.enrollments}
        />
        {kind !== 'loyalty' && <Figure label="Referrals" value={data?.referrals} />}
        <Figure label="Rewards earned" value={data?.earnedRewards} />
      </dl>
      {data && data.customTotals.length > 0 && <UnitTotals totals={data.customTotals} />}
      <Text size="sm">
        <Anchor
          component={Link}
          underline="always"
          to="/p/$projectId/rewards"
          params={{ projectId } as never}
          search={{ programId } as never}
        >
          Its rewards
        </Anchor>
        {kind !== 'loyalty' && (
          <>
            {' · '}
            <Anchor
              component={Link}
              underline="always"
              to="/p/$projectId/referrals"
              params={{ projectId } as never}
              search={{ programId } as never}
            >
              Its referrals
            </Anchor>
          </>
        )}
        {kind === 'affiliate' && (
          <>
            {' · '}
            <Anchor
              component={Link}
              underline="always"
              to="/p/$projectId/partners"
              params={{ projectId } as never}
            >
              Partners and applications
            </Anchor>
          </>
        )}
      </Text>
    </Section>
  );
}

function UnitTotals({ totals }: { totals: ProgramSummary['customTotals'] }) {
  return (
    <List spacing={4}>
      {totals.map((unit) => (
        <List.Item key={unit.customUnitId}>{describeUnitTotals(unit)}</List.Item>
      ))}
    </List>
  );
}

/** What its rules currently promise, by the first sentence of each. */
function Promises({ program }: { program: Program }) {
  const { id: programId, projectId, kind } = program;
  const rules = useQuery(rulesQuery(projectId, programId));
  const now = useProjectNow();
  return (
    <Section title="What people earn">
      {rules.isPending ? (
        <Lines count={2} />
      ) : rules.isError ? (
        <ErrorState error={rules.error} retry={() => void rules.refetch()} />
      ) : rules.data.length === 0 ? (
        <Text>Nothing yet: it has no rules.</Text>
      ) : (
        <List spacing="xs">
          {rules.data.map(({ rule, versions }) => {
            const terms = versionInForce(versions, now);
            return (
              <List.Item key={rule.id}>
                {terms
                  ? describeTerms({ ...rule, kind }, terms)[0]
                  : `“${rule.name}” takes effect later.`}
              </List.Item>
            );
          })}
        </List>
      )}
      <Text size="sm">
        <Anchor component={Link} underline="always" to="." search={{ tab: 'rules' } as never}>
          Rules and terms
        </Anchor>
      </Text>
    </Section>
  );
}
