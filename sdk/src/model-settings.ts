import { type Bind, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { UserId } from './generated/ids.ts';
import type {
  EffectiveModelSettingFragment,
  ModelSettingsFieldFragment,
  ModelSettingsFragment,
  ResetModelSettingsMutationVariables,
  UpdateModelSettingsInput,
  UpdateModelSettingsMutation,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** The settings, or why they were not changed: told apart by `__typename`. */
export type UpdateModelSettingsResult = UpdateModelSettingsMutation['updateModelSettings'];

/** Which models answer a person. Without a `userId`, the caller's own; another's is for administrators. */
export interface ModelSettingsApi {
  /** What is saved, with defaults for what is not. */
  get(userId?: UserId, options?: RequestOptions): Promise<ModelSettingsFragment>;
  /** Changes only the fields given. Send the `version` you read as `expectedVersion` to learn of conflicts. */
  update(input: UpdateModelSettingsInput, options?: RequestOptions): Promise<UpdateModelSettingsResult>;
  /** Forgets the person's own values: of the fields given, or of all. */
  reset(which?: ResetModelSettingsMutationVariables, options?: RequestOptions): Promise<ModelSettingsFragment>;
  /** Name, title, help, unit, default and bounds of each setting. */
  fields(options?: RequestOptions): Promise<readonly ModelSettingsFieldFragment[]>;
  /** For each field the value in force and the layer that set it. */
  effective(userId?: UserId, options?: RequestOptions): Promise<readonly EffectiveModelSettingFragment[]>;
}

/** Binds the model settings to a way of sending requests. */
export function makeModelSettingsApi(bind: Bind): ModelSettingsApi {
  const get = bind(documents.ModelSettingsDocument);
  const fields = bind(documents.ModelSettingsFieldsDocument);
  const effective = bind(documents.EffectiveModelSettingsDocument);
  return {
    get: (userId, options) => get({ userId }, options),
    update: withOne('input', bind(documents.UpdateModelSettingsDocument)),
    reset: bind(documents.ResetModelSettingsDocument),
    fields: (options) => fields({}, options),
    effective: async (userId, options) => (await effective({ userId }, options)).fields,
  };
}
