import type { TestUser } from '../../kit/kit.ts';

/** Turn, name and severity of each event that the pattern names, as the run's log has them; of a sub-agent, after its name. */
export async function logged(user: TestUser, runId: string, name: string): Promise<readonly string[]> {
  const { run } = await user.ask<{ run: { events: { edges: { node: LoggedNode }[] } } }>(
    `query ($id: ID!, $name: String) { run(id: $id) {
      events(name: $name, first: 100) { edges { node { agent turn name severity } } } } }`,
    { id: runId, name },
  );
  return run.events.edges.map(
    ({ node: { agent, ...event } }) => `${agent ? `${agent}: ` : ''}${event.turn} ${event.name} ${event.severity}`,
  );
}

interface LoggedNode {
  readonly agent: string | null;
  readonly turn: number;
  readonly name: string;
  readonly severity: string;
}
