import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const PASSWORD_LEAST = 12;

interface NewPasswordProps extends PasswordInputProps {
  readonly label?: string;
}

/** For choosing a password. */
export function NewPassword({ label = 'Password', ...rest }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description={`At least ${PASSWORD_LEAST} characters. A few words in a row are easy to remember.`}
      autoComplete="new-password"
      minLength={PASSWORD_LEAST}
      maxLength={256}
      required
      {...rest}
    />
  );
}
