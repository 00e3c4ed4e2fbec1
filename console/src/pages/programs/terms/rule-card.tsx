import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Card,
  Collapse,
  Group,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PencilIcon } from 'lucide-react';
import { answerOf, api } from '../../../api/client.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { When } from '../../../ui/when.tsx';
import { type Program, type Rule, type TermsVersion, useProjectNow } from '../queries.ts';
import { useSaving } from '../use-saving.ts';
import { versionInForce } from '../version-in-force.ts';
import { deedName, describeTerms, type RuleFacts } from './describe-terms.ts';
import { Meaning } from './meaning.tsx';
import { PublishTerms } from './publish-terms.tsx';
import { TermsHistory } from './terms-history.tsx';

interface RuleCardProps {
  readonly program: Program;
  readonly rule: Rule;
  readonly versions: readonly TermsVersion[];
  readonly holdDays: number | null;
  readonly mayWrite: boolean;
}

const EVENTS: Record<string, string> = { signup: 'Signup', purchase: 'Purchase' };
const ROLES: Record<Rule['beneficiaryRole'], string> = {
  referrer: 'for the person who invited',
  referee: 'for the invited person',
  subject: 'for the customer',
};

const eventLabel = (eventType: string) => EVENTS[eventType] ?? deedName(eventType);

/** A rule: its current meaning, the next one, and earlier ones. */
export function RuleCard({ program, rule, versions, holdDays, mayWrite }: RuleCardProps) {
  const now = useProjectNow();
  const [isShown, { toggle }] = useDisclosure();
  const [isOpen, { open, close }] = useDisclosure();
  const [isNaming, naming] = useDisclosure();
  const inForce = versionInForce(versions, now);
  const next = versions
    .filter((one) => Date.parse(one.effectiveAt) > now && one.version > (inForce?.version ?? 0))
    .at(-1);
  const facts: RuleFacts = { ...rule, kind: program.kind, holdDays };
  const newest = versions[0];
  return (
    <Card withBorder padding="lg" component="section" aria-label={rule.name}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Box flex="1 1 14rem" miw={0}>
          <Group gap={6} wrap="nowrap">
            <Title order={2} className="page-title">
              {rule.name}
            </Title>
            {mayWrite && (
              <Tooltip label="Rename">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Rename ${rule.name}`}
                  onClick={naming.open}
                >
                  <PencilIcon size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
          <Group gap="xs" mt={4}>
            <Badge variant="default" tt="none" fw={500}>
              {eventLabel(rule.eventType)}
            </Badge>
            <Text size="sm" c="dimmed">
              {ROLES[rule.beneficiaryRole]}
              {rule.purpose === 'bonus' && ' · a bonus on top'}
            </Text>
          </Group>
        </Box>
        {mayWrite && (
          <Button variant="default" onClick={open}>
            New terms
          </Button>
        )}
      </Group>
      {inForce ? (
        <Meaning sentences={describeTerms(facts, inForce)} />
      ) : (
        <Meaning sentences={['It does not count yet.']} />
      )}
      {next && (
        <Text size="sm" mt="sm">
          <b>
            From <When at={next.effectiveAt} />:
          </b>{' '}
          {describeTerms(facts, next).join(' ')}
        </Text>
      )}
      <Group mt="md">
        <Button variant="subtle" size="compact-sm" ml={-8} onClick={toggle} aria-expanded={isShown}>
          {isShown ? 'Hide the history' : `History (${versions.length})`}
        </Button>
      </Group>
      <Collapse expanded={isShown}>
        <TermsHistory facts={facts} versions={versions} inForce={inForce} nowMs={now} />
      </Collapse>
      {newest && (
        <PublishTerms opened={isOpen} onClose={close} rule={rule} facts={facts} before={newest} />
      )}
      <Rename rule={rule} opened={isNaming} onClose={naming.close} />
    </Card>
  );
}

function Rename({ rule, opened, onClose }: { rule: Rule; opened: boolean; onClose: () => void }) {
  const { projectId, id: ruleId } = rule;
  const saving = useSaving(
    (name: string) =>
      answerOf(
        api.PUT('/v1/benefit-rules/{ruleId}/name', {
          params: { path: { ruleId } },
          body: { projectId, name },
        }),
      ),
    'Renamed.',
  );
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Rename “${rule.name}”`}
      action="Rename"
      reason={{ label: 'New name', isRequired: true, maxLength: 120 }}
      onConfirm={(name) => saving.mutateAsync(name)}
    >
      What the rule does and its terms stay as they are.
    </Confirm>
  );
}
