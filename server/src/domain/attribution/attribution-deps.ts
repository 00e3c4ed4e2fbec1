import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';

export interface AttributionDeps {
  readonly writer: ProjectWriter;
  readonly keyring: Keyring;
}
