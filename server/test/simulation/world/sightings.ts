/** How often a world has reached what. */
export class Sightings {
  readonly counts = new Map<string, number>();

  see(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
