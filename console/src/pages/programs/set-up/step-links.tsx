import { Accordion, Checkbox, Stack, Switch, TextInput } from '@mantine/core';
import { useProject } from '../../../app/project.ts';
import { landingPageFault } from '../landing-page.ts';
import { describePolicy, toPolicy } from '../policy-words.ts';
import { PolicyFields } from '../tabs/policy-form.tsx';
import type { StepProps } from './step-props.ts';

interface StepLinksProps extends StepProps {
  /** The origin to allow, if the user may do that and it is not allowed yet. */
  readonly origin: string | null;
}

export function StepLinks({ draft, onChange, isLocked, isTried, origin }: StepLinksProps) {
  const { environment } = useProject();
  const fault =
    landingPageFault(draft.landingPageUrl, environment) ??
    (draft.landingPageUrl.trim() === '' ? 'Enter the page that links lead to' : undefined);
  const policy = toPolicy(draft.policy);
  return (
    <Stack gap="lg" maw={680}>
      <TextInput
        label="Landing page"
        description="The page that people see when they follow a link: your start page or a separate page."
        placeholder="https://example.com/welcome"
        type="url"
        required
        maxLength={2048}
        disabled={isLocked}
        value={draft.landingPageUrl}
        error={isTried || draft.landingPageUrl.length > 8 ? fault : undefined}
        onChange={(event) => onChange({ landingPageUrl: event.currentTarget.value })}
      />
      {origin && (
        <Checkbox
          label={`Let pages of ${origin} call the service`}
          description="Needed once for each of your sites. Otherwise its landing script and widget are refused."
          checked={draft.allowsOrigin}
          onChange={(event) => onChange({ allowsOrigin: event.currentTarget.checked })}
        />
      )}
      {draft.kind === 'affiliate' && (
        <Switch
          label="Partners may apply"
          description="On a page of the service, or on your own page by the API; you approve them under Partners."
          checked={draft.partnerApplicationsOpen}
          disabled={isLocked}
          onChange={(event) => onChange({ partnerApplicationsOpen: event.currentTarget.checked })}
        />
      )}
      <Accordion variant="contained" chevronPosition="left">
        <Accordion.Item value="policy">
          <Accordion.Control>
            {policy ? describePolicy(policy, draft.kind) : 'How long a click counts'}
          </Accordion.Control>
          <Accordion.Panel>
            <Stack>
              <PolicyFields
                kind={draft.kind}
                choice={draft.policy}
                onChange={(next) => onChange({ policy: next })}
                hasMeaning={false}
              />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
