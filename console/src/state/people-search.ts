import { PeopleDocument, type PeopleQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { query } from './graphql-client.ts';

type Person = PeopleQuery['users']['edges'][number]['node'];

const typingPauseMs = 250;
/** To choose from, not to leaf through. */
const mostFound = 8;

/** The first few people whose name or email match what is typed; nobody while nothing is. */
export function createPeopleSearch(client: Client) {
  const [typed, setTyped] = createSignal('');
  const [found, setFound] = createSignal<readonly Person[]>();
  const [problem, setProblem] = createSignal<string>();
  let typing: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  async function find(search: string): Promise<void> {
    const mine = ++latest;
    const answer = await query(client, PeopleDocument, { first: mostFound, search });
    if (mine !== latest) return;
    setProblem(answer.type === 'failed' ? answer.message : undefined);
    setFound(answer.type === 'failed' ? undefined : answer.data.users.edges.map(({ node }) => node));
  }

  function type(text: string) {
    setTyped(text);
    clearTimeout(typing);
    if (text.trim() !== '') {
      typing = setTimeout(() => void find(text.trim()), typingPauseMs);
      return;
    }
    latest++;
    setFound(undefined);
    setProblem(undefined);
  }
  onCleanup(() => clearTimeout(typing));

  return { typed, type, found, problem };
}
