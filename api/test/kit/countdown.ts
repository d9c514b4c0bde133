/** Reached when it was counted so often. */
export function countdown(left: number): { readonly reached: Promise<void>; count(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (left <= 0) resolve();
  return {
    reached: promise,
    count() {
      left -= 1;
      if (left <= 0) resolve();
    },
  };
}
