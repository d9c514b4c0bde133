/** Whether keys belong to what is being written there, and must mean nothing else. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
}

export function isUndo(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z';
}

/** Whether something lies on top of the page: keys are for that first. */
export function isBehindDialog(): boolean {
  return (
    document.querySelector(
      '[role=dialog][data-state=open], [role=alertdialog][data-state=open], [role=menu][data-state=open]',
    ) !== null
  );
}
