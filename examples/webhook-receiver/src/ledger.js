import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A file to which lines of JSON are only ever added: what the receiver did. One process at a time
 * may have it open.
 */
export class Ledger {
  /** @type {import('node:fs/promises').FileHandle} */
  #file;
  #waiting = '';
  #saved = Promise.resolve();

  /** @param {import('node:fs/promises').FileHandle} file */
  constructor(file) {
    this.#file = file;
  }

  /**
   * Opens or makes the file, and returns what is in it. A last line that was cut off by a crash was
   * not answered for: it is taken away, and Goodword sends its event again.
   * @param {string} path
   * @returns {Promise<{ ledger: Ledger, entries: unknown[] }>}
   */
  static async open(path) {
    const file = await open(path, 'a+', 0o600);
    const bytes = await file.readFile();
    const end = bytes.lastIndexOf('\n') + 1;
    await file.truncate(end);
    await file.sync();
    await syncFolder(dirname(path));
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
    return { ledger: new Ledger(file), entries: lines.map(parseLine) };
  }

  /**
   * Adds an entry. It counts once `saved` has resolved.
   * @param {object} entry
   */
  append(entry) {
    this.#waiting += `${JSON.stringify(entry)}\n`;
    this.#saved = this.#saved.then(() => this.#write());
    // Whoever needs to know awaits `saved`.
    this.#saved.catch(() => undefined);
  }

  /**
   * Resolves when everything added so far is on the disk. If that failed once it rejects from then
   * on: what is known here and what the file says are not the same any more, until a restart.
   * @returns {Promise<void>}
   */
  saved() {
    return this.#saved;
  }

  async close() {
    await this.#saved.catch(() => undefined);
    await this.#file.close();
  }

  /** What was added while the last write went on goes into one write together. */
  async #write() {
    const text = this.#waiting;
    if (text === '') return;
    this.#waiting = '';
    await this.#file.appendFile(text);
    await this.#file.datasync();
  }
}

/**
 * @param {string} line
 * @param {number} index
 */
function parseLine(line, index) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`Line ${index + 1} of the ledger is damaged. Mend it before you go on.`);
  }
}

/**
 * So that the file itself is still there after a power failure.
 * @param {string} path
 */
async function syncFolder(path) {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
