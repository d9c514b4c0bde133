import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { canonicalJson, type Json } from '../agent/json.ts';
import { grouped } from '../agent/words.ts';

/** What a tool answered, as JSON for the model. Throws what the tool gave as its error. */
export function readCallResult({ content = [], structuredContent, isError }: CallToolResult): Json {
  const texts = content.map(textOf);
  if (isError) throw new Error(texts.join('\n').trim() || 'The tool failed without saying why.');
  if (structuredContent === undefined) return texts.length === 1 ? (texts[0] ?? '') : texts;
  const structured = structuredContent as Json;
  // Servers repeat what is structured as text, for clients that know only text.
  const more = texts.filter((text) => !isSameJson(text, structured));
  return more.length === 0 ? structured : { structured, text: more };
}

/** Pictures and sounds are named, not shown: models here read text. */
function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${sizeOf(block.data)}: not shown]`;
    case 'resource_link':
      return `[resource ${block.name}: ${block.uri}${block.description ? `, ${block.description}` : ''}]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `[resource ${resource.uri}]\n${resource.text}`;
      return `[resource ${resource.uri}, ${resource.mimeType ?? 'binary'}, ${sizeOf(resource.blob)}: not shown]`;
    }
    default:
      return `[${String((block as { type: unknown }).type)}: not shown]`;
  }
}

function sizeOf(base64: string): string {
  return `${grouped(Math.floor((base64.length * 3) / 4))} bytes`;
}

function isSameJson(text: string, value: Json): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    return false;
  }
}
