import { notifications } from '@mantine/notifications';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Says that something was done. What failed is told beside where it was asked for. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'leaf', withBorder: true, closeButtonProps });
}

export function notifyFailed(title: string, error: unknown): void {
  notifications.show({
    title,
    message: error instanceof Error ? error.message : String(error),
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
    closeButtonProps,
  });
}

/** Stays until it is dismissed: it is about what was just done, and nothing else shows it. */
export function notifyWarnings(warnings: readonly string[]): void {
  for (const message of warnings) {
    notifications.show({
      title: 'Please check',
      message,
      color: 'orange',
      withBorder: true,
      autoClose: false,
      closeButtonProps,
    });
  }
}
