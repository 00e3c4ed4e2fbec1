import { Button } from '@mantine/core';
import { LogOutIcon } from 'lucide-react';
import { useSignOut } from './sign-out.ts';

/** For pages without the menu of a project. */
export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button variant="subtle" leftSection={<LogOutIcon size={16} />} onClick={() => void signOut()}>
      Sign out
    </Button>
  );
}
