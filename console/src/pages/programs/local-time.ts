const two = (value: number) => String(value).padStart(2, '0');

/** A time for `<input type="datetime-local">`, in the reader's time zone. */
export function toLocalInput(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The inverse; null if it is empty or invalid. */
export function fromLocalInput(text: string): string | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
