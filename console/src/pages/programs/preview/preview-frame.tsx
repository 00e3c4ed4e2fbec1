import { Group, SegmentedControl, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import type { PreviewState } from '../../../preview/message.ts';

interface PreviewFrameProps {
  readonly programName: string;
  readonly config: PreviewState['config'];
}

/** The real panel with the current input and made-up rewards. */
export function PreviewFrame({ programName, config }: PreviewFrameProps) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [width, setWidth] = useState('desktop');
  const [view, setView] = useState<PreviewState['view']>('panel');
  const own = useComputedColorScheme('light');
  const [chosen, setScheme] = useState<PreviewState['scheme'] | null>(null);
  const scheme = chosen ?? own;
  const { ref: windowRef, width: room } = useElementSize();
  const text = JSON.stringify({ type: 'goodword-preview', programName, config, view, scheme });

  useEffect(() => {
    if (!isReady) return;
    // After a pause in typing.
    const timer = setTimeout(() => {
      ref.current?.contentWindow?.postMessage(JSON.parse(text), window.location.origin);
    }, 120);
    return () => clearTimeout(timer);
  }, [isReady, text]);

  return (
    <Stack gap="sm">
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          value={view}
          onChange={(value) => setView(value as PreviewState['view'])}
          data={[
            { value: 'panel', label: 'Panel' },
            { value: 'button', label: 'Button' },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label="Width"
          value={width}
          onChange={setWidth}
          data={[
            { value: 'desktop', label: 'Desktop' },
            { value: 'phone', label: 'Phone' },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label="Colours of the preview"
          value={scheme}
          onChange={(value) => setScheme(value as PreviewState['scheme'])}
          data={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </Group>
      <div className="preview-stage" data-width={width}>
        <div className="preview-window" ref={windowRef}>
          <iframe
            ref={ref}
            src="/console/preview.html"
            title="Preview of the widget"
            // Its scripts have run by then, so it receives messages.
            onLoad={() => setReady(true)}
            style={view === 'button' && width === 'desktop' ? shrink(room) : undefined}
          />
        </div>
      </div>
      <Text size="sm" c="dimmed">
        The real panel, with example rewards. {view === 'button' && 'Press its button to open it.'}
      </Text>
    </Stack>
  );
}

const DESKTOP = 960;

/** A page of desktop width, scaled down to fit: the button has its place there. */
function shrink(room: number): CSSProperties {
  const scale = room === 0 ? 1 : Math.min(1, room / DESKTOP);
  return {
    width: room / scale,
    height: `${100 / scale}%`,
    transform: `scale(${scale})`,
    transformOrigin: 'top left',
  };
}
