import manifest from '../package.json' with { type: 'json' };

/** The version of the package, raised with every release. */
export const VERSION: string = manifest.version;
