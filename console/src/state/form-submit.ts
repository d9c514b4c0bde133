import { createSignal } from 'solid-js';
import type { Answer } from './graphql-client.ts';

export interface FormProblems {
  /** By field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** What belongs to no field. */
  readonly general: string | undefined;
}

const noProblems: FormProblems = { fields: {}, general: undefined };

/** One submission at a time; what the server objects to ends up at the fields it names. */
export function createFormSubmit() {
  const [busy, setBusy] = createSignal(false);
  const [problems, setProblems] = createSignal(noProblems);

  /** Runs the request; the data when the server accepted it. */
  async function submit<Data>(request: () => Promise<Answer<Data>>): Promise<Data | undefined> {
    if (busy()) return undefined;
    setBusy(true);
    setProblems(noProblems);
    const answer = await request();
    setBusy(false);
    if (answer.type === 'data') return answer.data;
    setProblems({ fields: {}, general: answer.message });
    return undefined;
  }

  function refuse(list: readonly { readonly field: string; readonly message: string }[]) {
    setProblems({ fields: Object.fromEntries(list.map(({ field, message }) => [field, message])), general: undefined });
  }

  return { busy, problems, submit, refuse };
}
