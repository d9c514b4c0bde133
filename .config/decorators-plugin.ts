import { transform } from 'esbuild';
import type { Plugin } from 'vite';

const decorator = /^\s*@[A-Za-z_$][\w$.]*[(\s]/m;

/**
 * Lowers standard decorators for vitest: Vite leaves them in its output and Node cannot run them yet. Only files that
 * seem to hold one take the detour; a comment that looks like one merely costs that file a second compiler.
 */
export function decorators(): Plugin {
  return {
    name: 'lower-decorators',
    enforce: 'pre',
    async transform(code, id) {
      const [file = id] = id.split('?');
      if (!/\.[mc]?tsx?$/.test(file) || !decorator.test(code)) return null;
      const lowered = await transform(code, {
        loader: file.endsWith('x') ? 'tsx' : 'ts',
        target: 'node24',
        sourcefile: file,
        sourcemap: true,
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      return { code: lowered.code, map: lowered.map };
    },
  };
}
