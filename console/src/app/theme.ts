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

/** Greys of the dark look, with the tint of the brand; from text to ground. */
const dark: MantineColorsTuple = [
  '#d5ded9',
  '#b9c4be',
  '#8b9891',
  '#6d7a73',
  '#3a4640',
  '#313c36',
  '#212a26',
  '#171e1b',
  '#131a17',
  '#0e1311',
];

export const theme = createTheme({
  primaryColor: 'leaf',
  primaryShade: { light: 7, dark: 3 },
  // For those who asked their system for less motion, dialogs and menus appear at once.
  respectReducedMotion: true,
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { leaf, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  // The text of a page is 15 pixels high, its details 14; titles differ from it by weight, less by size.
  fontSizes: { md: '0.9375rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
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
    '--mantine-color-text': '#17211c',
    '--mantine-color-default-border': '#d3dad5',
    '--mantine-color-dimmed': '#51605a',
    '--mantine-color-placeholder': '#5f6d67',
    '--mantine-color-error': '#b02525',
  },
  dark: {
    '--mantine-color-body': '#171e1b',
    '--mantine-color-text': '#e4ebe7',
    '--mantine-color-default': '#1d2622',
    '--mantine-color-default-hover': '#25302b',
    '--mantine-color-default-border': '#38443e',
    '--mantine-color-dimmed': '#a7b5ae',
    '--mantine-color-placeholder': '#95a39c',
    '--mantine-color-error': '#ff9d9d',
  },
});
