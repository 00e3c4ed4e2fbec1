import { Select, type SelectProps, Stack, Text } from '@mantine/core';
import { humanize } from '../../ui/words.ts';
import { ROLE_NAMES, ROLES, type Role } from './roles.ts';

interface RoleSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  /** Only owners can make others owners. */
  readonly mayMakeOwners: boolean;
}

export function RoleSelect({ value, onChange, mayMakeOwners, ...rest }: RoleSelectProps) {
  const roles = ROLE_NAMES.filter((role) => mayMakeOwners || role !== 'owner' || role === value);
  return (
    <Select
      data={roles.map((role) => ({ value: role, label: humanize(role) }))}
      value={value}
      onChange={(role) => role && onChange(role as Role)}
      allowDeselect={false}
      comboboxProps={{ width: 320, position: 'bottom-end' }}
      renderOption={({ option }) => (
        <Stack gap={0}>
          <Text fw={600}>{option.label}</Text>
          <Text size="sm" c="dimmed">
            {ROLES[option.value as Role]}
          </Text>
        </Stack>
      )}
      {...rest}
    />
  );
}
