import { Button, Group, Text } from '@mantine/core';

interface SaveBarProps {
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** False while something in the form is wrong. */
  readonly isValid?: boolean;
  readonly onDiscard: () => void;
}

/** The end of a form that stays on its page. It stays in sight while there is something to save. */
export function SaveBar({ isChanged, isBusy, isValid = true, onDiscard }: SaveBarProps) {
  return (
    <Group className="save-bar" gap="sm" data-changed={isChanged || undefined}>
      <Button type="submit" loading={isBusy} disabled={!isChanged || !isValid}>
        Save
      </Button>
      {isChanged && (
        <>
          <Button variant="default" onClick={onDiscard} disabled={isBusy}>
            Discard changes
          </Button>
          <Text size="sm" c="dimmed" ml="auto" className="hide-on-phones">
            Not saved yet
          </Text>
        </>
      )}
    </Group>
  );
}
