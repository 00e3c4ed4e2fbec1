import { Slider, Text, TextInput } from '@mantine/core';
import { type RiskText, readWhole } from '../words/policy-words.ts';
import { SIGNAL_NAMES, SIGNALS } from '../words/signal-words.ts';

interface PointsFieldsProps {
  readonly points: RiskText['points'];
  /** The service's issue about a signal. */
  readonly issueOf: (signal: string) => string | undefined;
  readonly onChange: (points: RiskText['points']) => void;
}

/** The points of each signal: by slider, or typed. */
export function PointsFields({ points, issueOf, onChange }: PointsFieldsProps) {
  return (
    <div className="policy-points">
      {SIGNAL_NAMES.map((signal) => {
        const { label, meaning } = SIGNALS[signal];
        const text = points[signal] ?? '';
        const value = readWhole(text, 0, 100);
        const set = (next: string) => onChange({ ...points, [signal]: next });
        return (
          <div key={signal} className="policy-point">
            <div>
              <Text fw={500}>{label}</Text>
              <Text size="sm" c="dimmed">
                {meaning}
              </Text>
            </div>
            <Slider
              // The field beside it is the same value, and easier to use by keys.
              thumbProps={{ tabIndex: -1 }}
              thumbLabel={`Points of ${label.toLowerCase()}, by slider`}
              value={value ?? 0}
              max={100}
              step={5}
              label={null}
              onChange={(next) => set(String(next))}
            />
            <TextInput
              aria-label={`Points: ${label}`}
              inputMode="numeric"
              value={text}
              error={issueOf(signal) ?? (value === null ? '0–100' : undefined)}
              onChange={(event) => set(event.currentTarget.value)}
            />
          </div>
        );
      })}
    </div>
  );
}
