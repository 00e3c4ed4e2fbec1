import type { PGlite } from '@electric-sql/pglite';

/** A file or folder of the engine, which has its files in memory. */
interface FileNode {
  readonly mode: number;
  contents: Record<string, FileNode> | Uint8Array | null;
}

interface OpenFile {
  readonly shared: object;
}

/** What changes in Emscripten's file system. */
interface FileSystem {
  readonly root: FileNode;
  streams: (OpenFile | null)[];
  /** Files by the hash of their folder and name. */
  nameTable: (FileNode | undefined)[];
  isDir(mode: number): boolean;
}

/**
 * All that an idle engine is: its memory and its files. To put them back takes less than to empty its tables, and the
 * engine is the same to the byte.
 */
export class EngineImage {
  readonly #engine: PGlite;
  readonly #memory: Uint8Array;
  readonly #restores: (() => void)[] = [];

  constructor(engine: PGlite) {
    this.#engine = engine;
    const { HEAPU8, FS } = engine.Module;
    let length = HEAPU8.length;
    while (HEAPU8[length - 1] === 0) length -= 1;
    this.#memory = HEAPU8.slice(0, length);
    const files = FS as unknown as FileSystem;
    this.#keepNode(files, files.root);
    this.#keepTables(files);
  }

  restore(): void {
    // It is another array once the memory has grown.
    const { HEAPU8 } = this.#engine.Module;
    HEAPU8.set(this.#memory);
    HEAPU8.fill(0, this.#memory.length);
    for (const restore of this.#restores) restore();
  }

  #keepTables(files: FileSystem): void {
    const names = [...files.nameTable];
    const streams = [...files.streams];
    const places = streams.map((one) => ({ ...one?.shared }));
    this.#restores.push(() => {
      files.nameTable = [...names];
      files.streams = [...streams];
      for (const [at, one] of streams.entries()) if (one) Object.assign(one.shared, places[at]);
    });
  }

  #keepNode(files: FileSystem, node: FileNode): void {
    const { contents } = node;
    const kept = { ...node };
    if (contents instanceof Uint8Array) {
      const bytes = contents.slice();
      this.#restores.push(() => {
        contents.set(bytes);
        Object.assign(node, kept);
      });
    } else if (contents && files.isDir(node.mode)) {
      const entries = { ...contents };
      this.#restores.push(() => Object.assign(node, kept, { contents: { ...entries } }));
      for (const entry of Object.values(entries)) this.#keepNode(files, entry);
    }
  }
}
