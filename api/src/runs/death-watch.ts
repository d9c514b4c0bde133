/** A server that owns runs, as one look at the database finds it. */
export interface SeenServer {
  readonly id: string;
  /** Null when it has left, or never lived. */
  readonly heartbeat: number | null;
  /** Silent for longer than its lease, by the database's clock. */
  readonly silent: boolean;
}

/**
 * Decides which servers are dead. Pure. Nobody is declared dead at first sight: after an outage of the database every
 * server has been silent, and gets the time to be heard again. One that has left is dead at once.
 */
export class DeathWatch {
  #silentSince = new Map<string, { readonly heartbeat: number; readonly since: number }>();

  constructor(private readonly watchMs: number) {}

  /** The dead among those seen now; `now` never runs backwards. */
  look(servers: readonly SeenServer[], now: number): readonly string[] {
    const silent = new Map<string, { readonly heartbeat: number; readonly since: number }>();
    const dead: string[] = [];
    for (const { id, heartbeat, silent: isSilent } of servers) {
      if (heartbeat === null) dead.push(id);
      else if (isSilent) {
        const before = this.#silentSince.get(id);
        const since = before?.heartbeat === heartbeat ? before.since : now;
        silent.set(id, { heartbeat, since });
        if (now - since >= this.watchMs) dead.push(id);
      }
    }
    this.#silentSince = silent;
    return dead;
  }
}
