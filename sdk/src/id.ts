/**
 * A string that remembers what it names. Plain strings fit everywhere an id is asked for; the id of one thing does not
 * fit where another's is.
 */
export type Id<Of extends string> = string & { readonly __idOf?: Of };
