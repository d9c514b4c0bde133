import { RunsDocument, TestRuleDocument, type TestRuleInput, type TestRuleQuery } from '@oracle-agent/sdk/documents';
import { createSignal, createUniqueId, For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createFormSubmit } from '../../state/form-submit.ts';
import { query } from '../../state/graphql-client.ts';
import { createLoad } from '../../state/load.ts';
import { effectWords } from '../../state/rules/effect-words.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { SelectField } from '../basics/select-field.tsx';

const said = words.rules;

type Tested = Extract<TestRuleQuery['testRule'], { readonly __typename: 'RuleTest' }>;

interface RuleTestProps {
  /** Undefined for a new one, which has a text. */
  readonly ruleId: string | undefined;
  /** What is written and not saved, which is tried instead. */
  readonly text: string | undefined;
}

/** Tries a rule on one of the newest runs, or on made-up facts. */
export function RuleTest(props: RuleTestProps) {
  const { session } = useApp();
  const [on, setOn] = createSignal<'run' | 'sample'>('run');
  const [chosen, setChosen] = createSignal<string>();
  const [sample, setSample] = createSignal(said.sampleStart);
  const [result, setResult] = createSignal<Tested>();
  const form = createFormSubmit();
  const sampleId = createUniqueId();
  const load = createLoad(session.client, RunsDocument, () => ({ first: 50 }));
  const runs = () => {
    const state = load.state();
    return state.type === 'ready' ? state.data.runs.edges.map(({ node }) => node) : [];
  };
  const runId = () => chosen() ?? runs()[0]?.id;

  async function run() {
    setResult(undefined);
    const input = on() === 'run' ? { runId: runId() ?? null } : { sample: parsed(sample()) };
    if ('sample' in input && input.sample === undefined) {
      form.refuse([{ field: 'sample', message: said.sampleBroken }]);
      return;
    }
    const tried = props.text === undefined ? { ruleId: props.ruleId } : { text: props.text };
    const data = await form.submit(() => query(session.client, TestRuleDocument, { input: { ...tried, ...input } }));
    if (!data) return;
    const { testRule } = data;
    if (testRule.__typename === 'RuleTest') setResult(testRule);
    else form.refuse([{ field: on() === 'sample' ? 'sample' : 'run', message: testRule.message }]);
  }

  const problem = () => form.problems().general ?? Object.values(form.problems().fields)[0];

  return (
    <form
      class="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Show when={props.text !== undefined && props.ruleId !== undefined}>
        <p class="text-muted">{said.testUnsaved}</p>
      </Show>
      <SelectField
        label={said.testOn}
        options={[
          { value: 'run', label: said.testRun },
          { value: 'sample', label: said.testSample },
        ]}
        value={on()}
        onChange={setOn}
      />
      <Show
        when={on() === 'run'}
        fallback={
          <div class="flex flex-col gap-1">
            <label for={sampleId} class="font-medium">
              {said.sample}
            </label>
            <textarea
              id={sampleId}
              rows={5}
              spellcheck={false}
              class="w-full rounded-md border border-control bg-surface p-2.5 font-mono text-sm"
              value={sample()}
              onInput={(event) => setSample(event.currentTarget.value)}
            />
            <p class="text-sm text-muted">{said.sampleHint}</p>
          </div>
        }
      >
        <Show when={runs().length > 0} fallback={<p class="text-muted">{said.noRuns}</p>}>
          <SelectField
            label={said.chooseRun}
            options={runs().map(({ id, question }) => ({ value: id as string, label: question.slice(0, 80) }))}
            value={runId() ?? ''}
            onChange={setChosen}
          />
        </Show>
      </Show>
      <div>
        <Button type="submit" variant="primary" disabled={form.busy() || (on() === 'run' && runs().length === 0)}>
          {form.busy() ? said.testing : said.runTest}
        </Button>
      </div>
      <p role="alert" class="text-failure empty:hidden">
        {problem()}
      </p>
      <div role="status">
        <Show when={result()}>
          {(tested) => (
            <>
              <p class="font-medium">{tested().message}</p>
              <ul class="mt-1 flex flex-col gap-1 text-sm">
                <For each={tested().firings}>
                  {(firing) => (
                    <li class="wrap-anywhere" classList={{ 'text-failure': firing.error !== null }}>
                      <span class="text-muted tabular-nums">{said.testTurn(firing.turn)}</span>{' '}
                      {firing.error === null ? effectWords(firing.effect) : said.failedWith(firing.error)}
                    </li>
                  )}
                </For>
              </ul>
            </>
          )}
        </Show>
      </div>
    </form>
  );
}

function parsed(text: string): TestRuleInput['sample'] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
