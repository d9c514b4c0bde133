/** A server that owns runs, as one look at the database finds it. */
export interface SeenServer {
  readonly id: string;
  /** Null when it has left, or never lived. */
  readonly heartbeat: number | null;
  /** Silent for longer than its lease, by the database's clock. */
  readonly silent: boolean;
}

interface Sighting {
  readonly heartbeat: number;
  readonly since: number;
}

/**
 * Decides which servers are dead. Pure. A silence counts only when it was watched: after an outage of the database
 * every server has been silent for long, the one that looks included, and each gets the time to be heard again.
 * One that has left is dead at once.
 */
export class DeathWatch {
  #sightings = new Map<string, Sighting>();
  #lastLook = Number.NEGATIVE_INFINITY;

  /** A silence must have been watched for so long, without looking away for as long. */
  constructor(private readonly watchMs: number) {}

  /** The dead among those seen now; `now` never runs backwards. */
  look(servers: readonly SeenServer[], now: number): readonly string[] {
    const before = now - this.#lastLook > this.watchMs ? new Map<string, Sighting>() : this.#sightings;
    this.#lastLook = now;
    this.#sightings = new Map();
    return servers.filter((server) => this.#isDead(server, before.get(server.id), now)).map(({ id }) => id);
  }

  #isDead({ id, heartbeat, silent }: SeenServer, before: Sighting | undefined, now: number): boolean {
    if (heartbeat === null) return true;
    const since = before?.heartbeat === heartbeat ? before.since : now;
    this.#sightings.set(id, { heartbeat, since });
    return silent && now - since >= this.watchMs;
  }
}
