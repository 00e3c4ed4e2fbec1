import { Text, Tooltip } from '@mantine/core';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'long' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A time in the reader's own time zone; exact on hover or touch. */
export function When({ at, fallback = '–' }: { at: string | null | undefined; fallback?: string }) {
  if (!at) return <Text span>{fallback}</Text>;
  const date = new Date(at);
  return (
    <Tooltip
      label={`${full.format(date)} · ${at}`}
      events={{ hover: true, focus: false, touch: true }}
    >
      <time dateTime={at}>{short.format(date)}</time>
    </Tooltip>
  );
}

/** A calendar day (`2026-11-15`) in the reader's format. */
export const formatDay = (isoDay: string) => day.format(new Date(`${isoDay}T00:00:00Z`));
