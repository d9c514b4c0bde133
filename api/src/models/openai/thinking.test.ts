import { describe, expect, it } from 'vitest';
import { reply } from '../../../test/kit/model-replies.ts';
import { Adaptations } from '../adaptations.ts';
import { key, useAsking } from '../test/asking.ts';
import { createChatCompletionsModel } from './chat-completions-model.ts';
import { openRouterThinking, type ThinkingDialect, thinkingDialectOf } from './thinking-dialect.ts';

const asking = useAsking();
const fields = ['reasoning', 'reasoning_effort', 'thinking', 'enable_thinking', 'chat_template_kwargs'];

/** What the request with this number said about thinking. */
function said(number: number): object {
  const { body } = asking.server.requests[number - 1] ?? { body: {} };
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}

function model(modelId: string, thinking?: ThinkingDialect, adaptations = new Adaptations()) {
  const endpoint = { provider: 'test', baseUrl: asking.server.url, apiKey: key, adaptations };
  return createChatCompletionsModel({ ...endpoint, ...(thinking ? { thinking } : {}) }, modelId);
}

const on = {
  reasoning_effort: 'medium',
  chat_template_kwargs: { enable_thinking: true, thinking: true },
};

describe('thinking is asked for', () => {
  it.each([
    [
      'OpenRouter',
      openRouterThinking,
      'vendor/some',
      { reasoning: { enabled: true } },
      { reasoning: { enabled: false } },
    ],
    ['an unknown server', undefined, 'llama3', on, {}],
    [
      'an unknown server, of a model that thinks unasked',
      undefined,
      'Qwen/Qwen3-8B',
      on,
      { reasoning_effort: 'none', chat_template_kwargs: { enable_thinking: false, thinking: false } },
    ],
    ['OpenAI', thinkingDialectOf('https://api.openai.com/v1'), 'gpt-5.2', { reasoning_effort: 'medium' }, {}],
    ['OpenAI, of a model that cannot', thinkingDialectOf('https://api.openai.com/v1'), 'gpt-4o', {}, {}],
    [
      'DeepSeek',
      thinkingDialectOf('https://api.deepseek.com'),
      'deepseek-chat',
      { thinking: { type: 'enabled' } },
      { thinking: { type: 'disabled' } },
    ],
    [
      'Alibaba',
      thinkingDialectOf('https://dashscope-intl.aliyuncs.com/compatible-mode/v1'),
      'qwen-plus',
      { enable_thinking: true },
      { enable_thinking: false },
    ],
  ])('as %s wants it', async (_who, dialect, modelId, whenOn, whenOff) => {
    asking.server.otherwise(reply.text('Yes.'));
    await asking.ask({ thinking: true }, model(modelId, dialect));
    await asking.ask({ thinking: false }, model(modelId, dialect));

    expect([said(1), said(2)]).toEqual([whenOn, whenOff]);
  });
});

describe('a model that refuses the parameter', () => {
  const refusals = [
    [400, 'Unrecognized request argument supplied: reasoning_effort'],
    [400, 'think value "medium" is not supported for this model'],
    [422, 'body.chat_template_kwargs: Extra inputs are not permitted'],
    [400, 'Reasoning is mandatory for this endpoint and cannot be disabled.'],
  ] as const;

  it.each(refusals)('(%i, %s) is asked again without it, once, and that is remembered', async (status, message) => {
    const adaptations = new Adaptations();
    asking.server.script(reply.error(status, { message }));
    asking.server.otherwise(reply.text('Yes.'));
    const first = await asking.ask({ thinking: true }, model('some', undefined, adaptations));
    await asking.ask({ thinking: true }, model('some', undefined, adaptations));
    await asking.ask({ thinking: true }, model('another', undefined, adaptations));

    expect(first).toMatchObject({ text: 'Yes.', failure: undefined });
    expect([said(1), said(2), said(3), said(4)]).toEqual([on, {}, {}, on]);
    expect(asking.server.requests).toHaveLength(4);
  });

  it('fails for good when it refuses again, and nothing is remembered', async () => {
    const adaptations = new Adaptations();
    asking.server.otherwise(reply.error(400, { message: 'No thinking about thinking.' }));
    const { failure } = await asking.ask({ thinking: true }, model('some', undefined, adaptations));
    await asking.ask({ thinking: true }, model('some', undefined, adaptations));

    expect(failure).toMatchObject({ code: 'MODEL_ERROR' });
    expect([said(1), said(2), said(3), said(4)]).toEqual([on, {}, on, {}]);
    expect(asking.server.requests).toHaveLength(4);
  });

  it('is not asked again when it refuses something else, or was told nothing', async () => {
    asking.server.otherwise(reply.error(400, { message: 'Messages must alternate.' }));
    await asking.ask({ thinking: true });
    asking.server.otherwise(reply.error(400, { message: 'I do not like your reasoning.' }));
    await asking.ask({ thinking: false });

    expect(asking.server.requests).toHaveLength(2);
  });
});

describe('the output cap', () => {
  it('goes by its newer name where the older one is refused, from then on', async () => {
    const adaptations = new Adaptations();
    const message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
    asking.server.script(reply.error(400, { message, code: 'unsupported_parameter' }));
    asking.server.otherwise(reply.text('Yes.'));
    const { text } = await asking.ask({}, model('o9', undefined, adaptations));
    await asking.ask({}, model('o9', undefined, adaptations));

    expect(text).toBe('Yes.');
    expect(asking.server.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [500, undefined],
      [undefined, 500],
      [undefined, 500],
    ]);
  });
});
