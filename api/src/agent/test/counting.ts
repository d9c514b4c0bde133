/** Wraps a value so that every read of it, or of anything within it, is counted; copying an object reads it all. */
export function counting<T extends object>(value: T, count: () => void): T {
  return new Proxy(value, {
    get(object, key, receiver) {
      count();
      const held = Reflect.get(object, key, receiver);
      return typeof held === 'object' && held !== null ? counting(held, count) : held;
    },
  });
}
