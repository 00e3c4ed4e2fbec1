import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const leaf: MantineColorsTuple = [
  '#eef7f3',
  '#dcece5',
  '#b5d9ca',
  '#8bc6ad',
  '#68b594',
  '#4a9c7b',
  '#337e61',
  '#1f5f4a',
  '#184c3b',
  '#10382b',
];

export const theme = createTheme({
  primaryColor: 'leaf',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { leaf },
  defaultRadius: 'md',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.2rem' } },
  },
  components: {
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    // A placeholder that is not an item does not belong in a menu; the first item gets the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // The header of a dialog is not a banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
  },
  // Some of Mantine's light badges and buttons have too little contrast; these pass 4.5 : 1.
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    const name = input.color ?? 'leaf';
    // The shade depends on the scheme, and so must the text on it.
    if (input.variant === 'filled' && name === 'leaf') {
      return {
        ...colours,
        color: 'light-dark(var(--mantine-color-white), var(--mantine-color-leaf-9))',
      };
    }
    if (input.variant === 'filled' && name === 'red') {
      return {
        ...colours,
        background: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))',
        hover: 'light-dark(#a61e1e, var(--mantine-color-red-3))',
        color: 'light-dark(var(--mantine-color-white), var(--mantine-color-black))',
      };
    }
    if (input.variant !== 'light') return colours;
    return {
      ...colours,
      background: `light-dark(var(--mantine-color-${name}-1), color-mix(in srgb, var(--mantine-color-${name}-8) 45%, transparent))`,
      color: `light-dark(color-mix(in srgb, var(--mantine-color-${name}-9) 65%, #000), var(--mantine-color-${name}-1))`,
    };
  },
});

/** All text has a contrast of at least 4.5 : 1 on our backgrounds. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#51605a',
    '--mantine-color-placeholder': '#5f6d67',
    '--mantine-color-error': '#b02525',
  },
  dark: {
    '--mantine-color-body': '#19211d',
    '--mantine-color-dimmed': '#a7b5ae',
    '--mantine-color-placeholder': '#95a39c',
    '--mantine-color-error': '#ff9d9d',
  },
});
