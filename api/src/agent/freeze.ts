/** Remembers what is frozen all the way down, so that each step freezes only what it added. */
const deeplyFrozen = new WeakSet<object>();

export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || deeplyFrozen.has(next)) continue;
    deeplyFrozen.add(Object.freeze(next));
    for (const inner of Object.values(next)) pending.push(inner);
  }
  return value;
}
