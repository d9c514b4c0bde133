import type { CodeIndex } from '../../code/code.ts';
import type { Threads } from '../../threads/threads.ts';
import type { Vault } from '../../vault/vault.ts';

const refuse = () => Promise.reject(new Error('There is no knowledge here.'));

/** For runs whose tools need neither notes nor threads nor code. */
export const noKnowledge: { readonly vault: Vault; readonly threads: Threads; readonly code: CodeIndex } = {
  vault: { search: refuse, read: refuse, list: refuse, write: refuse, move: refuse },
  threads: { list: refuse, read: refuse, seek: refuse, append: refuse },
  code: { isEmpty: refuse, search: refuse, definitions: refuse, references: refuse, map: refuse },
};
