import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CalendarIcon } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '../../ui/when.tsx';
import { RANGES, type Range } from './range.ts';

const NAMES: Record<(typeof RANGES)[number], string> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
};

export function RangePicker({ range }: { range: Range & { days: number | null } }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [own, setOwn] = useState<Range>(range);
  const go = (next: Record<string, string | undefined>) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, days: undefined, from: undefined, to: undefined, ...next }),
    });
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label="Time"
        size="xs"
        data={RANGES.map((days) => ({ value: String(days), label: NAMES[days] }))}
        value={range.days === null ? '' : String(range.days)}
        onChange={(days) => go({ days })}
      />
      <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-end">
        <Popover.Target>
          <Button
            size="xs"
            variant={range.days === null ? 'light' : 'default'}
            leftSection={<CalendarIcon size={14} />}
            onClick={() => {
              // The project's clock may have been read since.
              setOwn(range);
              setOpen(!isOpen);
            }}
          >
            {range.days === null ? `${formatDay(range.from)} to ${formatDay(range.to)}` : 'Dates…'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              go({ ...own });
              setOpen(false);
            }}
          >
            <Stack gap="xs">
              {(['from', 'to'] as const).map((name) => (
                <TextInput
                  key={name}
                  type="date"
                  label={name === 'from' ? 'From' : 'To'}
                  required
                  max={name === 'from' ? own.to : undefined}
                  min={name === 'to' ? own.from : undefined}
                  value={own[name]}
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    setOwn((before) => ({ ...before, [name]: value }));
                  }}
                />
              ))}
              <Button type="submit" size="xs">
                Show
              </Button>
            </Stack>
          </form>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}
