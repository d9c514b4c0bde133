import { describe, expect, it } from 'vitest';
import { createDecisionTree, decisionTree, listDecisionTrees, UnknownDecisionTree } from './decision-tree.ts';
import { DefaultDecisionTree } from './default-tree.ts';
import { configOf } from './test/history.ts';

@decisionTree('sample', 'Only here to be found.')
class SampleTree extends DefaultDecisionTree {}

describe('the registry of decision trees', () => {
  it('creates a tree by its name, with the limits it is to work under', () => {
    const config = configOf({ maxIterations: 7 });
    const tree = createDecisionTree('sample', config);

    expect(tree).toBeInstanceOf(SampleTree);
    expect(tree.getConfig()).toBe(config);
  });

  it('knows the default, and lists all by name', () => {
    const names = listDecisionTrees().map(({ name }) => name);

    expect(names).toEqual([...names].sort());
    expect(names).toContain('default');
    expect(listDecisionTrees()).toContainEqual({ name: 'sample', description: 'Only here to be found.' });
  });

  it('refuses a second tree of the same name', () => {
    expect(() => {
      @decisionTree('sample')
      class Impostor extends DefaultDecisionTree {}
      return Impostor;
    }).toThrow('A decision tree named "sample" is registered already.');
    expect(createDecisionTree('sample', configOf())).toBeInstanceOf(SampleTree);
  });

  it('refuses a name that cannot be typed or told apart', () => {
    expect(() => {
      @decisionTree('Deep Research')
      class Unnameable extends DefaultDecisionTree {}
      return Unnameable;
    }).toThrow('"Deep Research" cannot name a decision tree');
  });

  it.each(['nonsense', '', 'toString', 'Default'])('answers the unknown name "%s" with those it knows', (name) => {
    expect(() => createDecisionTree(name, configOf())).toThrow(UnknownDecisionTree);
    const known = listDecisionTrees().map((tree) => tree.name);
    expect(() => createDecisionTree(name, configOf())).toThrow(
      `There is no decision tree named "${name}". Known: ${known.join(', ')}.`,
    );
  });
});
