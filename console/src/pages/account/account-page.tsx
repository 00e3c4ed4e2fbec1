import { Alert, Button, Container, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeftIcon, ShieldCheckIcon } from 'lucide-react';
import { useSession } from '../../app/session.ts';
import { SignOutButton } from '../../app/sign-out-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { humanize } from '../../ui/words.ts';
import { ChangePassword } from './change-password.tsx';
import { LinkProvider } from './link-provider.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export function AccountPage() {
  const { user, memberships, mustSetUpTotp } = useSession();
  return (
    <Container component="main" size="sm" py="xl">
      <Stack gap="xl">
        <Group justify="space-between">
          {!mustSetUpTotp && (
            <Button
              component={Link}
              to="/"
              variant="subtle"
              leftSection={<ArrowLeftIcon size={16} />}
              px={0}
            >
              Back to your projects
            </Button>
          )}
          <SignOutButton />
        </Group>
        <Page title="Your account">
          {mustSetUpTotp && (
            <Alert icon={<ShieldCheckIcon />} color="orange" title="Protect your account first">
              <Text size="sm">
                Your role can make payments or change permissions. Set up a second factor to
                continue.
              </Text>
            </Alert>
          )}
          {!mustSetUpTotp && (
            <Facts
              rows={[
                ['Name', user.name],
                ['E-mail', user.email],
                ...memberships.map(
                  ({ workspaceName, role }) => [workspaceName, humanize(role)] as const,
                ),
              ]}
            />
          )}
          <TwoFactor />
          {!mustSetUpTotp && (
            <>
              <ChangePassword />
              <LinkProvider />
              <Sessions />
            </>
          )}
        </Page>
      </Stack>
    </Container>
  );
}
