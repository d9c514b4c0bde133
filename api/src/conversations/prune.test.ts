import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prunable, type TreeNode } from './prune.ts';

/** Trees of any shape: each node hangs below an earlier one, or is a root of its own. */
const trees = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(), { freq: 8 }),
      checkpoint: fc.nat(4).map((one) => one === 0),
      running: fc.nat(9).map((one) => one === 0),
    }),
    { maxLength: 60 },
  )
  .map((drawn) =>
    drawn.map(({ parent, checkpoint, running }, index): TreeNode => {
      const parentId = parent === null || index === 0 ? null : `${parent % index}`;
      return { id: `${index}`, parentId, checkpoint, running };
    }),
  );
const cases = trees.chain((nodes) =>
  fc.record({
    nodes: fc.shuffledSubarray([...nodes], { minLength: nodes.length }),
    headId: fc.option(fc.constantFrom(...nodes.map(({ id }) => id), 'none')),
  }),
);

function ancestorsOf(nodes: readonly TreeNode[], id: string | null): readonly string[] {
  const node = nodes.find((candidate) => candidate.id === id);
  return node ? [node.id, ...ancestorsOf(nodes, node.parentId)] : [];
}

describe('pruning', () => {
  it('keeps roots, checkpoints, HEAD, what is being written, and the ancestors of each', () => {
    fc.assert(
      fc.property(cases, ({ nodes, headId }) => {
        const gone = new Set(prunable(nodes, headId).map(({ id }) => id));
        const protectedIds = nodes
          .filter(
            ({ id, parentId, checkpoint, running }) => parentId === null || checkpoint || running || id === headId,
          )
          .flatMap(({ id }) => ancestorsOf(nodes, id));

        expect(protectedIds.filter((id) => gone.has(id))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('takes everything else, so that no exchange is left without its parent and none is left for a second time', () => {
    fc.assert(
      fc.property(cases, ({ nodes, headId }) => {
        const gone = new Set(prunable(nodes, headId).map(({ id }) => id));
        const left = nodes.filter(({ id }) => !gone.has(id));
        const needed = new Set(
          left
            .filter(
              ({ id, parentId, checkpoint, running }) => parentId === null || checkpoint || running || id === headId,
            )
            .flatMap(({ id }) => ancestorsOf(nodes, id)),
        );

        expect(left.filter(({ id }) => !needed.has(id))).toEqual([]);
        expect(left.filter(({ parentId }) => parentId !== null && gone.has(parentId))).toEqual([]);
        expect(prunable(left, headId)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('costs no more for a conversation of ten thousand exchanges in one line than their number', () => {
    const nodes = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ id: `${index}`, parentId: index === 0 ? null : `${index - 1}` },
      ...{ checkpoint: index % 2 === 0, running: false },
    }));

    expect(prunable(nodes, '9999')).toEqual([]);
    expect(
      prunable(
        nodes.map((node) => ({ ...node, checkpoint: false })),
        '0',
      ),
    ).toHaveLength(9_999);
  });
});
