import { delegateLibrarian } from './delegate-librarian.ts';
import { findDefinition } from './find-definition.ts';
import { findReferences } from './find-references.ts';
import { getRepoMap } from './get-repo-map.ts';
import { notifySelf } from './notify-self.ts';
import { createToolRegistry } from './registry.ts';
import { searchCode } from './search-code.ts';
import { threadList } from './thread-list.ts';
import { threadPush } from './thread-push.ts';
import { threadRead } from './thread-read.ts';
import { threadSeek } from './thread-seek.ts';
import { vaultList } from './vault-list.ts';
import { vaultMove } from './vault-move.ts';
import { vaultRead } from './vault-read.ts';
import { vaultSearch } from './vault-search.ts';
import { vaultWrite } from './vault-write.ts';

/** The tools that every run has. Their declarations go out with every request, so they are kept short. */
export const builtInTools = createToolRegistry([
  vaultSearch,
  vaultRead,
  vaultList,
  vaultWrite,
  searchCode,
  findDefinition,
  findReferences,
  getRepoMap,
  vaultMove,
  threadList,
  threadRead,
  threadSeek,
  threadPush,
  delegateLibrarian,
  notifySelf,
]);
