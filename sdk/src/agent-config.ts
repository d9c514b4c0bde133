import { type Bind, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { UserId } from './generated/ids.ts';
import type {
  AgentConfigFieldFragment,
  AgentConfigFragment,
  EffectiveFieldFragment,
  ResetAgentConfigMutationVariables,
  UpdateAgentConfigInput,
  UpdateAgentConfigMutation,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** The settings, or why they were not changed: told apart by `__typename`. */
export type UpdateAgentConfigResult = UpdateAgentConfigMutation['updateAgentConfig'];

/** A person's limits. Without a `userId`, the caller's own; another's is for administrators. */
export interface AgentConfigApi {
  /** What is saved, with defaults for what is not. */
  get(userId?: UserId, options?: RequestOptions): Promise<AgentConfigFragment>;
  /** Changes only the fields given. Send the `version` you read as `expectedVersion` to learn of conflicts. */
  update(input: UpdateAgentConfigInput, options?: RequestOptions): Promise<UpdateAgentConfigResult>;
  /** Forgets the person's own values: of the fields given, or of all. */
  reset(which?: ResetAgentConfigMutationVariables, options?: RequestOptions): Promise<AgentConfigFragment>;
  /** Name, title, help, unit, default and bounds of each setting. */
  fields(options?: RequestOptions): Promise<readonly AgentConfigFieldFragment[]>;
  /** For each field the value in force and the layer that set it. */
  effective(userId?: UserId, options?: RequestOptions): Promise<readonly EffectiveFieldFragment[]>;
}

/** Binds the agent settings to a way of sending requests. */
export function makeAgentConfigApi(bind: Bind): AgentConfigApi {
  const get = bind(documents.AgentConfigDocument);
  const fields = bind(documents.AgentConfigFieldsDocument);
  const effective = bind(documents.EffectiveConfigDocument);
  return {
    get: (userId, options) => get({ userId }, options),
    update: withOne('input', bind(documents.UpdateAgentConfigDocument)),
    reset: bind(documents.ResetAgentConfigDocument),
    fields: (options) => fields({}, options),
    effective: async (userId, options) => (await effective({ userId }, options)).fields,
  };
}
