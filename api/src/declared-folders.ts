import { fileURLToPath } from 'node:url';

/** Declarations that come with the product. They lie at the same place beside this file in the sources and in the build. */
export const builtInSubscribers = fileURLToPath(new URL('./events/subscribers/', import.meta.url));
export const builtInRules = fileURLToPath(new URL('./rules/builtin/', import.meta.url));
