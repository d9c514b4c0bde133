import type { FetchLike } from '@modelcontextprotocol/client';
import { grouped } from '../agent/words.ts';

export const longestAnswer = 10_000_000;

/** Answers to what we ask are read into memory, so they must not be endless. What a server tells unasked flows by. */
export const boundedFetch: FetchLike = async (url, init) => {
  const response = await fetch(url, init);
  if (init?.method !== 'POST' || !response.ok || !response.body) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= longestAnswer) controller.enqueue(chunk);
      else controller.error(new Error(`The server's answer is longer than ${grouped(longestAnswer)} bytes.`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
};
