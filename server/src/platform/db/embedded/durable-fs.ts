import { fdatasyncSync, fsyncSync } from 'node:fs';
import { relative } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface FileSync {
  readonly kind: 'wal' | 'data' | 'directory';
  /** Relative to the store. */
  readonly path: string;
}

export type SyncListener = (sync: FileSync) => void;

/**
 * Ends the process. It must not return and must not throw: the engine is called inside a loop that
 * swallows exceptions and would spin forever.
 */
export type OnFatal = (error: Error) => never;

type InitOptions = Parameters<NodeFS['init']>[1];

interface Stream {
  readonly nfd: number;
  readonly node: { readonly mode: number };
}

/** The parts of the engine's file layer that its published types omit. */
interface FileLayer {
  readonly FS: { isDir(mode: number): boolean };
  readonly NODEFS: {
    realPath(node: Stream['node']): string;
    readonly stream_ops: { fsync?: (stream: Stream) => number };
  };
}

const WAL_SEGMENT = /^pg_wal[\\/][0-9A-F]{24}$/;

/**
 * The engine's file layer ignores fsync(). This one calls the operating system. A failed sync is
 * fatal: the kernel may have dropped the pages, so a retry could report success for lost data.
 */
export class DurableFs extends NodeFS {
  readonly listeners = new Set<SyncListener>();
  readonly #onFatal: OnFatal;
  #walSyncs = 0;

  constructor(folder: string, onFatal: OnFatal) {
    super(folder);
    this.#onFatal = onFatal;
  }

  /** Number of WAL segment syncs since the store was opened. */
  get walSyncs(): number {
    return this.#walSyncs;
  }

  override async init(pg: Parameters<NodeFS['init']>[0], options: InitOptions) {
    const { emscriptenOpts } = await super.init(pg, options);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        onAbort: () => this.#onFatal(new Error('The embedded database has stopped.')),
        preRun: [...(emscriptenOpts.preRun ?? []), (mod: unknown) => this.#hook(mod as FileLayer)],
      },
    };
  }

  #hook({ FS, NODEFS }: FileLayer): void {
    NODEFS.stream_ops.fsync = (stream) => {
      const path = relative(this.rootDir, NODEFS.realPath(stream.node));
      const isDirectory = FS.isDir(stream.node.mode);
      try {
        if (isDirectory) fsyncSync(stream.nfd);
        else fdatasyncSync(stream.nfd);
      } catch (cause) {
        this.#onFatal(
          new Error(`Could not sync ${path} to disk: ${(cause as Error).message}.`, { cause }),
        );
      }
      this.#report(isDirectory, path);
      return 0;
    };
  }

  #report(isDirectory: boolean, path: string): void {
    const isWal = WAL_SEGMENT.test(path);
    if (isWal) this.#walSyncs += 1;
    const kind = isDirectory ? 'directory' : isWal ? 'wal' : 'data';
    for (const listener of this.listeners) listener({ kind, path });
  }
}
