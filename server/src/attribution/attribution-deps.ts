import type { ProjectWriter } from '../feed/writer.ts';
import type { Keyring } from '../kit/keyring.ts';

export interface AttributionDeps {
  readonly writer: ProjectWriter;
  readonly keyring: Keyring;
}
