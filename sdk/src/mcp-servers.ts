import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { McpServerId } from './generated/ids.ts';
import type {
  AddMcpServerInput,
  AddMcpServerMutation,
  ApproveMcpToolsInput,
  ApproveMcpToolsMutation,
  McpServerFragment,
  McpServersQuery,
  McpServersQueryVariables,
  RevokeMcpToolsMutationVariables,
  SetMcpAccessInput,
  SetMcpAccessMutation,
  UpdateMcpServerInput,
  UpdateMcpServerMutation,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of MCP servers, with the cursor that leads to the next. */
export type McpServerPage = McpServersQuery['mcpServers'];
/** The new server, or what is wrong with the input: told apart by `__typename`. */
export type AddMcpServerResult = AddMcpServerMutation['addMcpServer'];
/** The server as it stands, what is wrong, or what somebody else changed meanwhile: told apart by `__typename`. */
export type UpdateMcpServerResult = UpdateMcpServerMutation['updateMcpServer'];
/** The server with its approvals, or what is wrong: told apart by `__typename`. */
export type ApproveMcpToolsResult = ApproveMcpToolsMutation['approveMcpTools'];
/** The server with its users, or what is wrong: told apart by `__typename`. */
export type SetMcpAccessResult = SetMcpAccessMutation['setMcpAccess'];

/** Servers whose tools runs may use, once approved; for administrators. */
export interface McpServersApi {
  /** Null when there is no such server, or none the caller may see. */
  get(id: McpServerId, options?: RequestOptions): Promise<McpServerFragment | null>;
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: McpServersQueryVariables, options?: RequestOptions): Promise<McpServerPage>;
  /** All of them, page by page as you read; `first` is the size of a page. */
  all(
    which?: Omit<McpServersQueryVariables, 'after'>,
    options?: RequestOptions,
  ): AsyncGenerator<McpServerFragment, void>;
  /** Adds a server. Nobody may use it, and none of its tools is approved yet. */
  add(input: AddMcpServerInput, options?: RequestOptions): Promise<AddMcpServerResult>;
  /** Changes only the fields given. */
  update(input: UpdateMcpServerInput, options?: RequestOptions): Promise<UpdateMcpServerResult>;
  /** Removes a server with its approvals, and ends its connections. */
  remove(id: McpServerId, options?: RequestOptions): Promise<boolean>;
  /** Lets runs use these tools, as they are described now. */
  approveTools(input: ApproveMcpToolsInput, options?: RequestOptions): Promise<ApproveMcpToolsResult>;
  /** Takes approvals back: no run is offered these tools any more. */
  revokeTools(which: RevokeMcpToolsMutationVariables, options?: RequestOptions): Promise<McpServerFragment>;
  /** Says whose runs may use it. */
  setAccess(input: SetMcpAccessInput, options?: RequestOptions): Promise<SetMcpAccessResult>;
}

/** Binds the MCP servers to a way of sending requests. */
export function makeMcpServersApi(bind: Bind): McpServersApi {
  const list = bind(documents.McpServersDocument);
  return {
    get: withOne('id', bind(documents.McpServerDocument)),
    list,
    all: everyPage(list),
    add: withOne('input', bind(documents.AddMcpServerDocument)),
    update: withOne('input', bind(documents.UpdateMcpServerDocument)),
    remove: withOne('id', bind(documents.RemoveMcpServerDocument)),
    approveTools: withOne('input', bind(documents.ApproveMcpToolsDocument)),
    revokeTools: bind(documents.RevokeMcpToolsDocument),
    setAccess: withOne('input', bind(documents.SetMcpAccessDocument)),
  };
}
