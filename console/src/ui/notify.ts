import { notifications } from '@mantine/notifications';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Reports success. Failures are shown where the action was requested. */
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

/** Stays until it is dismissed: nothing else shows warnings about the last action. */
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
