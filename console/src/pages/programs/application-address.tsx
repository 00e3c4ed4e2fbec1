import { Anchor, Stack, Text } from '@mantine/core';
import { IdText } from '../../ui/id-text.tsx';

interface ApplicationAddressProps {
  readonly projectKey: string;
  readonly programId: string;
}

/** The page of the service on which people apply to a program, to copy or to open. */
export function ApplicationAddress({ projectKey, programId }: ApplicationAddressProps) {
  const address = `${window.location.origin}/partner/apply/${projectKey}/${programId}`;
  return (
    <Stack gap={2}>
      <Text size="sm">
        People apply{' '}
        <Anchor href={address} target="_blank" rel="noreferrer" underline="always" inherit>
          on this page
        </Anchor>
        :
      </Text>
      <IdText value={address} label="the address of the application page" />
    </Stack>
  );
}
