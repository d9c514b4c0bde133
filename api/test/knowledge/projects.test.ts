import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
afterAll(() => kit.stop());

const problems = '... on InvalidInput { problems { field message } }';

async function create(user: TestUser, name: string) {
  const { createProject } = await user.ask<{ createProject: { id: string; problems: { message: string }[] } }>(
    `mutation ($name: String!) { createProject(name: $name) { __typename ... on Project { id name isDefault } ${problems} } }`,
    { name },
  );
  return createProject;
}

describe('projects', () => {
  it('are made empty, found, and listed behind the default one', async () => {
    const user = await kit.newUser();

    const { id } = await create(user, '  Side   project ');

    expect(await user.ask('query ($id: ID!) { project(id: $id) { name isDefault } }', { id })).toEqual({
      project: { name: 'Side project', isDefault: false },
    });
    expect(await user.ask('{ projects { name } }')).toEqual({
      projects: [{ name: 'My notes' }, { name: 'Side project' }],
    });
    expect(await user.ask('query ($id: ID) { notes(projectId: $id) { totalCount } }', { id })).toEqual({
      notes: { totalCount: 0 },
    });
  });

  it('have names of their own', async () => {
    const user = await kit.newUser();

    const made = await Promise.all(Array.from({ length: 4 }, () => create(user, 'Same')));

    expect(made.filter(({ id }) => id)).toHaveLength(1);
    expect((await create(user, 'SAME')).problems[0]?.message).toBe('There is a project called "SAME" already.');
    expect((await create(user, ' ')).problems[0]?.message).toBe('Name must not be empty.');
    expect((await create(user, 'x'.repeat(101))).problems[0]?.message).toContain('at most 100');
    const { id } = await create(user, 'Other');
    const rename = `mutation ($id: ID!, $name: String!) { renameProject(id: $id, name: $name) { ... on Project { name } ${problems} } }`;
    expect(await user.ask(rename, { id, name: 'same' })).toMatchObject({
      renameProject: { problems: [{ field: 'name' }] },
    });
    expect(await user.ask(rename, { id, name: 'other' })).toEqual({ renameProject: { name: 'other' } });
  });

  it('are searched one by one or all at once, and never those of others', async () => {
    const [user, other] = [await kit.newUser(), await kit.newUser()];
    const [first, second, foreign] = [await create(user, 'One'), await create(user, 'Two'), await create(other, 'One')];
    for (const { id } of [first, second, foreign]) await kit.vault.write(id, { path: 'a.md', body: 'A heron stands.' });
    const search = (args: string) =>
      user.query<{ searchNotes: { project: { id: string } }[] }>(
        `{ searchNotes(query: "heron", ${args}) { path project { id } } }`,
      );
    const found = async (args: string) =>
      (await search(args)).data?.searchNotes.map(({ project }) => project.id).toSorted();

    expect(await found(`projectId: "${first.id}"`)).toEqual([first.id]);
    expect(await found('everywhere: true')).toEqual([first.id, second.id].toSorted());
    expect((await search(`projectId: "${first.id}", everywhere: true`)).errors?.[0]?.message).toContain('exclude');
  });

  it('go with all that is in them, but not the default one', async () => {
    const user = await kit.newUser();
    const { id } = await create(user, 'Short-lived');
    await kit.vault.write(id, { path: 'a.md', body: '[[b]]' });
    await kit.threads.append(id, { title: 'T', kind: 'THOUGHT', text: 'x' });
    const remove = `mutation ($id: ID!) { deleteProject(id: $id) { __typename ... on DeletedProject { id } ${problems} } }`;

    expect(await user.ask(remove, { id })).toEqual({ deleteProject: { __typename: 'DeletedProject', id } });
    expect(codesOf(await user.query(remove, { id }))).toEqual(['NOT_FOUND']);
    expect(await user.ask('query ($id: ID!) { project(id: $id) { id } }', { id })).toEqual({ project: null });
    const left = await kit.database.query(
      'select project_id from notes where project_id = $1 union all select project_id from note_links where project_id = $1 union all select project_id from thread_entries where project_id = $1',
      [id],
    );
    expect(left).toEqual([]);

    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');
    expect(await user.ask(remove, { id: projects[0]?.id })).toMatchObject({
      deleteProject: {
        problems: [{ message: 'The default project cannot be deleted. Delete the notes in it instead.' }],
      },
    });
  });

  it('of others are as missing, also for every question about their notes', async () => {
    const [owner, other] = [await kit.newOwner(), await kit.newUser()];

    for (const id of [owner.projectId, randomUUID(), 'x']) {
      expect(await other.ask('query ($id: ID!) { project(id: $id) { id } }', { id })).toEqual({ project: null });
      for (const query of [
        'mutation ($id: ID!) { renameProject(id: $id, name: "Mine") { __typename } }',
        'mutation ($id: ID!) { deleteProject(id: $id) { __typename } }',
        'mutation ($id: ID!) { deleteNote(projectId: $id, path: "a.md") }',
        'mutation ($id: ID!) { moveNote(input: { projectId: $id, path: "a.md", newPath: "b.md" }) { __typename } }',
        'query ($id: ID!) { searchNotes(projectId: $id, query: "a") { path } }',
        'query ($id: ID!) { threads(projectId: $id) { totalCount } }',
        'query ($id: ID!) { seekThreads(projectId: $id, query: "a") { score } }',
      ]) {
        const answer = await other.query(query, { id });
        expect(answer.errors?.[0]?.message, query).toBe('There is no such project.');
      }
    }
  });
});
