import { type Bind, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type {
  OrganisationConfigFragment,
  UpdateOrganisationConfigInput,
  UpdateOrganisationConfigMutation,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** The organisation's settings, or why they were not changed: told apart by `__typename`. */
export type UpdateOrganisationConfigResult = UpdateOrganisationConfigMutation['updateOrganisationConfig'];

/** Defaults and ceilings for everybody; for administrators. */
export interface OrganisationApi {
  /** What the organisation set, field by field. */
  get(options?: RequestOptions): Promise<OrganisationConfigFragment>;
  /** Changes only the fields given; null clears one. */
  update(input: UpdateOrganisationConfigInput, options?: RequestOptions): Promise<UpdateOrganisationConfigResult>;
}

/** Binds the organisation to a way of sending requests. */
export function makeOrganisationApi(bind: Bind): OrganisationApi {
  const get = bind(documents.OrganisationConfigDocument);
  return {
    get: (options) => get({}, options),
    update: withOne('input', bind(documents.UpdateOrganisationConfigDocument)),
  };
}
