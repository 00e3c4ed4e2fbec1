import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShieldAlertIcon } from 'lucide-react';
import { useSession } from './session.ts';

/** Until a postponed second factor is set up. */
export function SecondFactorNote() {
  const { isTotpPostponed } = useSession();
  if (!isTotpPostponed) return null;
  return (
    <Alert color="orange" icon={<ShieldAlertIcon />} mb="lg" py="xs">
      Your account has no second factor yet. You can sign in without it only from this machine.{' '}
      <Anchor component={Link} to="/account" underline="always" inherit>
        Set one up
      </Anchor>{' '}
      before you publish the service.
    </Alert>
  );
}
