import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShieldAlertIcon } from 'lucide-react';
import { useState } from 'react';
import { useSession } from './session.ts';

const DISMISSED = 'goodword-second-factor-dismissed';

/** Until a postponed second factor is set up. Somebody who closes it sees it again in the next browser session. */
export function SecondFactorNote() {
  const { isTotpPostponed, user } = useSession();
  const [dismissedBy, setDismissedBy] = useState(() => sessionStorage.getItem(DISMISSED));
  if (!isTotpPostponed || dismissedBy === user.id) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, user.id);
    setDismissedBy(user.id);
  };
  return (
    <Alert
      color="orange"
      icon={<ShieldAlertIcon />}
      mb="lg"
      py="xs"
      withCloseButton
      closeButtonLabel="Not now"
      onClose={dismiss}
    >
      Your account has no second factor yet, so you can sign in only from this machine.{' '}
      <Anchor component={Link} to="/account" underline="always" inherit>
        Set one up
      </Anchor>{' '}
      before you publish the service.
    </Alert>
  );
}
