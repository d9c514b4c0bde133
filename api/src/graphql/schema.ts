import './agent-config.ts';
import './conversation.ts';
import './model.ts';
import './mcp-changes.ts';
import './mcp-server.ts';
import './model-settings.ts';
import './note.ts';
import './oracle-query.ts';
import './organisation.ts';
import './project.ts';
import './run.ts';
import './setting-change.ts';
import './token.ts';
import './user.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema();
