import type { Driver } from '../driver.ts';
import type { OnFatal, SyncListener } from './durable-fs.ts';
import { EmbeddedDriver } from './embedded-driver.ts';
import { lockFolder } from './folder-lock.ts';
import { copyStore, createFolder } from './folders.ts';
import { Maintenance } from './maintenance.ts';
import { Mutex } from './mutex.ts';
import type { StartStep } from './start-step.ts';
import { openStore } from './store.ts';

export interface EmbeddedOptions {
  /** Ends the process when the database can no longer be trusted; must not return. */
  readonly onFatal?: OnFatal;
  /** Called for every file and folder that was synced to disk. */
  readonly onSync?: SyncListener;
  /** Called before a new store is created, which takes seconds. */
  readonly onCreate?: () => void;
  /** Called at the start of each step of opening the store: after a crash steps can take long. */
  readonly onStep?: (step: StartStep) => void;
  readonly onMaintenanceError?: (error: Error) => void;
  readonly maintenanceEveryMs?: number;
}

const MAINTENANCE_EVERY_MS = 5 * 60_000;
/** EX_SOFTWARE of sysexits.h. */
const EXIT_FATAL = 70;

/** Opens the embedded database in a folder that only this process may use. */
export async function openEmbedded(
  folder: string,
  {
    onFatal = exitOnFatal,
    onSync,
    onCreate,
    onStep,
    onMaintenanceError = reportMaintenanceError,
    maintenanceEveryMs = MAINTENANCE_EVERY_MS,
  }: EmbeddedOptions = {},
): Promise<Driver> {
  await createFolder(folder);
  const lock = await lockFolder(folder);
  try {
    const store = await openStore(folder, onFatal, onCreate, onStep);
    if (onSync) store.fs.listeners.add(onSync);
    const mutex = new Mutex();
    const maintenance = new Maintenance(store, mutex, {
      everyMs: maintenanceEveryMs,
      onError: onMaintenanceError,
    });
    const shutDown = async () => {
      try {
        await maintenance.stop();
        await mutex.acquire();
        await store.pg.exec('checkpoint');
        await store.pg.close();
      } finally {
        await lock.release();
      }
    };
    return new EmbeddedDriver(store.pg, mutex, shutDown, (target) => copyStore(folder, target));
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function exitOnFatal(error: Error): never {
  process.stderr.write(`Goodword stops: ${error.message}\n`);
  process.exit(EXIT_FATAL);
}

function reportMaintenanceError(error: Error): void {
  process.stderr.write(`Database maintenance failed and will be retried: ${error.message}\n`);
}
