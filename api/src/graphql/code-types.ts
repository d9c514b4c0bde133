import type { CodeHit, CodeSymbol, Definition, Found, Reference, RepositoryMap, SymbolKind } from '../code/code.ts';
import type { CodeFile as CodeFileRow } from '../store/entities/code-file.ts';
import { builder } from './builder.ts';
import { defineEnum } from './enum.ts';

const CodeSymbolKind = defineEnum<SymbolKind>('CodeSymbolKind', 'What a symbol is.', {
  FUNCTION: 'A function, or a macro.',
  METHOD: 'A function that belongs to a type.',
  CLASS: 'A class.',
  STRUCT: 'A structure or a union.',
  INTERFACE: 'An interface or a trait.',
  TYPE: 'A type by another name.',
  ENUM: 'A type whose values are listed.',
  CONSTANT: 'A constant, or a variable of a whole file.',
  MODULE: 'A module or a namespace.',
});

const CodeSymbolType = builder.objectRef<CodeSymbol>('CodeSymbol').implement({
  description: 'Something that a file defines under a name.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    kind: t.expose('kind', { type: CodeSymbolKind, description: 'What it is.' }),
    signature: t.exposeString('signature', { description: 'Its head without the body, on one line.' }),
    container: t.exposeString('container', {
      nullable: true,
      description: 'The class, type, module or function that it stands in; null at the top of the file.',
    }),
    line: t.exposeInt('line', { description: 'Its first line, counted from 1.' }),
    endLine: t.exposeInt('endLine', { description: 'Its last line.' }),
  }),
});

export const CodeFile = builder.objectRef<CodeFileRow>('CodeFile').implement({
  description: 'A file of code, or another text beside it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the file.' }),
    path: t.exposeString('path', { description: 'Where it lies in its project, such as src/main.ts.' }),
    language: t.exposeString('language', {
      nullable: true,
      description: 'The language whose symbols were found; null for a text that is only searched.',
    }),
    bytes: t.exposeInt('bytes', { description: 'How long it is, in bytes of UTF-8.' }),
    lines: t.exposeInt('lines', { description: 'How many lines it has.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 of the text: changes when the text does.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its text last changed.' }),
    text: t.string({ description: 'The whole text.', resolve: (file, _args, { code }) => code.textOf(file) }),
    symbols: t.field({
      type: [CodeSymbolType],
      description: 'What it defines, in the order of the text.',
      resolve: async (file, _args, { code }) => [...(await code.symbolsOf(file))],
    }),
  }),
});

export const CodeHitType = builder.objectRef<CodeHit>('CodeHit').implement({
  description: 'A line that answers a search.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The file.' }),
    line: t.exposeInt('line', { description: 'The line, counted from 1.' }),
    snippet: t.exposeString('snippet', { description: 'The text from that line on, at most 500 characters.' }),
    score: t.exposeFloat('score', { description: '0 to 1; comparable within one search only.' }),
  }),
});

const CodeDefinition = builder.objectRef<Definition>('CodeDefinition').implement({
  description: 'A place where a name is defined.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The file.' }),
    symbol: t.field({ type: CodeSymbolType, description: 'What is defined.', resolve: (definition) => definition }),
    code: t.exposeString('code', { description: 'Its text, cut after 3,000 characters.' }),
  }),
});

const CodeReference = builder.objectRef<Reference>('CodeReference').implement({
  description: 'A line that uses a name.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The file.' }),
    line: t.exposeInt('line', { description: 'The line, counted from 1.' }),
    text: t.exposeString('text', { description: 'That line.' }),
    within: t.exposeString('within', {
      nullable: true,
      description: 'The definition that the line stands in; null when there is none.',
    }),
  }),
});

export const CodeDefinitions = builder.objectRef<Found<Definition>>('CodeDefinitions').implement({
  description: 'Where a name is defined.',
  fields: (t) => ({
    definitions: t.field({ type: [CodeDefinition], description: 'By path.', resolve: ({ items }) => [...items] }),
    totalCount: t.exposeInt('total', { description: 'How many there are, the ones not listed included.' }),
    nearest: t.exposeStringList('nearest', { description: 'When there is none: the names most like it.' }),
  }),
});

export const CodeReferences = builder.objectRef<Found<Reference>>('CodeReferences').implement({
  description: 'Where a name is used.',
  fields: (t) => ({
    references: t.field({
      type: [CodeReference],
      description: 'By path and line.',
      resolve: ({ items }) => [...items],
    }),
    totalCount: t.exposeInt('total', { description: 'How many there are, the ones not listed included.' }),
    nearest: t.exposeStringList('nearest', { description: 'When there is none: the names most like it.' }),
  }),
});

export const RepositoryMapType = builder.objectRef<RepositoryMap>('RepositoryMap').implement({
  description: 'The most important files and what they define, as far as it fits.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'A path on a line of its own, and below it what the file defines, with line numbers.',
    }),
    shownFiles: t.exposeInt('shownFiles', { description: 'How many files are in it.' }),
    files: t.exposeInt('files', { description: 'How many files the project has.' }),
  }),
});
