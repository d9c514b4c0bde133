import {
  AgentConfigDocument,
  AgentConfigFieldsDocument,
  EffectiveConfigDocument,
  ResetAgentConfigDocument,
  UpdateAgentConfigDocument,
} from './generated/documents.ts';
import type { UserId } from './generated/ids.ts';
import type {
  AgentConfigFieldFragment,
  AgentConfigFragment,
  EffectiveFieldFragment,
  ResetAgentConfigMutationVariables,
  UpdateAgentConfigInput,
  UpdateAgentConfigMutation,
} from './generated/types.ts';
import type { Request, RequestOptions } from './request.ts';

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
export function makeAgentConfigApi(request: Request): AgentConfigApi {
  return {
    get: async (userId, options) => (await request(AgentConfigDocument, { userId }, options)).agentConfig,
    update: async (input, options) => (await request(UpdateAgentConfigDocument, { input }, options)).updateAgentConfig,
    reset: async (which, options) => (await request(ResetAgentConfigDocument, which, options)).resetAgentConfig,
    fields: async (options) => (await request(AgentConfigFieldsDocument, {}, options)).agentConfigFields,
    effective: async (userId, options) =>
      (await request(EffectiveConfigDocument, { userId }, options)).effectiveConfig.fields,
  };
}
