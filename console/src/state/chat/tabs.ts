import { onCleanup } from 'solid-js';

/** Tabs of one person in one browser tell each other which conversation changed. */
export function createTabs(userId: string, onChange: (conversationId: string) => void) {
  const channel = new BroadcastChannel('oracle-chat');
  channel.addEventListener('message', ({ data }: MessageEvent<{ userId: string; conversationId: string }>) => {
    if (data.userId === userId) onChange(data.conversationId);
  });
  onCleanup(() => channel.close());
  return { tell: (conversationId: string) => channel.postMessage({ userId, conversationId }) };
}
